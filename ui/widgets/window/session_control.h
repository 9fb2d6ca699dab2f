#pragma once

#include "ui/widgets/window/window_parts.h"

#include <QObject>
#include <functional>

namespace sulcus::ui::widgets {

/// Saves and opens the sessions of the window, asks before something is lost, and offers to restore what a
/// crashed window left behind.
class SessionControl : public QObject {
  Q_OBJECT
 public:
  explicit SessionControl(WindowParts& window);

  /// Opens scans, tables, folders and a session.
  void openFiles(const QStringList& paths);
  /// Offers to restore what a crashed window left behind, and opens files: in addition to it, or without it.
  void start(const QStringList& paths);
  /// Updates the title, the modification mark and the texts of undo.
  void show();
  /// Calls it at once if `loss` is empty; else the user may first save the session or discard it.
  void unlessLost(const QString& loss, const QString& title, const std::function<void()>& act);
  /// Does the same for an action that replaces everything open.
  void replaceAll(const QString& title, const std::function<void()>& act);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct GivenFiles {
    QStringList scansAndStudies;
    QString session;
  };

  void addCommands();
  /// Saves to the session's file, else asks for one; `then` is called when it is written.
  void save(const std::function<void()>& then);
  void saveAs(const std::function<void()>& then);
  void choose();
  /// Opens a session, and scans and studies in addition to it, if nothing is lost or the user agrees.
  void open(const QString& file, const QStringList& others = {});
  void openOthers(const QStringList& paths);
  /// Opens what was given with a session, once there are no more questions about it.
  void joinOthers();
  /// Sorts files that are opened together.
  GivenFiles take(const QStringList& paths);
  void askForMissing(const QString& file, const QStringList& files, bool recovering);

  WindowParts& window_;
  QStringList joining_;  ///< to be opened once the session with which they were given is open
};

}  // namespace sulcus::ui::widgets
