#pragma once

#include "ui/widgets/window/window_parts.h"

#include <QObject>
#include <functional>

namespace sulcus::ui::widgets {

/// Saves and opens the sessions of the window, asks before something is lost, and offers what a window left
/// behind that did not end well.
class SessionControl : public QObject {
  Q_OBJECT
 public:
  explicit SessionControl(WindowParts& window);

  /// Opens scans, tables, folders and a session.
  void openFiles(const QStringList& paths);
  /// Offers what a window left behind, and opens files: beside it, or without it.
  void start(const QStringList& paths);
  /// Title, mark and words of undo as they are now.
  void show();
  /// Does it at once where `loss` is empty; else the user may save the session first or let it go.
  void unlessLost(const QString& loss, const QString& title, const std::function<void()>& act);
  /// Does so what takes the place of all that is open.
  void replaceAll(const QString& title, const std::function<void()>& act);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct GivenFiles {
    QStringList scans;
    QString session;
  };

  void addCommands();
  /// Saves to the session's file, else asks for one; `then` follows when it is written.
  void save(const std::function<void()>& then);
  void saveAs(const std::function<void()>& then);
  void choose();
  /// Opens a session, and scans beside it, when nothing is lost or the user agrees.
  void open(const QString& file, const QStringList& scans = {});
  /// Opens the scans that were given with a session, now that nothing is to be asked about it any more.
  void joinScans();
  /// Sorts files that are opened together. Studies among them are opened.
  GivenFiles take(const QStringList& paths);
  void askForMissing(const QString& file, const QStringList& files, bool recovering);

  WindowParts& window_;
  QStringList joining_;  ///< scans that are opened once the session is that they were given with
};

}  // namespace sulcus::ui::widgets
