#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

namespace sulcus::ui::model {

/// Something a user can do. Menus, keys, tests and the tour all go through it.
struct Command {
  QString name;      ///< "view.radiological"; never shown, never translated
  QString text;      ///< of the menu entry, translated, with its mnemonic
  QString shortcut;  ///< as QKeySequence reads it; "" for none
  std::function<void()> run;
  std::function<bool()> checked = {};  ///< set for what can be on or off
  std::function<bool()> enabled = {};  ///< none: always enabled
};

/// All commands by name. Lives on the UI thread.
class Commands : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// The name must be new. `keys` in QKeySequence notation; "" for none.
  void add(const QString& name, const QString& text, const QString& keys, std::function<void()> run,
           std::function<bool()> enabled = {});
  /// Adds a command that can be on or off.
  void addSwitch(const QString& name, const QString& text, const QString& keys, std::function<void()> run,
                 std::function<bool()> checked, std::function<bool()> enabled = {});
  /// Runs it; false if there is none of that name or it is not enabled now.
  bool trigger(const QString& name);
  const Command* find(const QString& name) const;
  const std::vector<Command>& all() const { return commands_; }
  /// The text without mnemonic and dots: "Open", for help pages.
  static QString plainText(const Command& command);

 signals:
  void triggered(const QString& name);

 private:
  std::vector<Command> commands_;
};

}  // namespace sulcus::ui::model
