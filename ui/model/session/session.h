#pragma once

#include "core/base/parallel/job_queue.h"
#include "ui/jobs/autosave_folder.h"
#include "ui/jobs/session_file.h"
#include "ui/model/session/history.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace sulcus::ui::model {

class Workspace;

/// The session that is open: its file, undo and redo, and autosave. Lives on the
/// UI thread; reads and writes on the file queue.
class Session : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this, `files` must post to this thread.
  Session(Workspace& workspace, JobQueue& files, QObject* parent = nullptr);
  ~Session() override;

  /// The file it was opened from or saved to last; "" for none.
  QString file() const { return file_; }
  /// Whether something would be lost with it: work since its file was written, or results that no file holds.
  bool modified() const;
  /// Says in words what is lost when everything is closed; "": nothing.
  QString loss() const;

  /// Whether undo brings layers back as they are now: no run works on them, and they are not too large.
  bool canBringBack(const std::vector<LayerId>& layers);

  /// Writes it; `then` is called when that has succeeded, unless something else has been opened meanwhile.
  void save(const QString& file, const std::function<void()>& then = {});
  /// Opens one in the place of all there is; nothing changes when it cannot be opened. When files are
  /// missing, missing() follows and nothing else, unless `rest`. `lookIn`: where they are looked for, too.
  void open(const QString& file, const QString& lookIn = {}, bool rest = false);
  /// Closes all layers; nothing of the session is left to undo.
  void close();
  /// Returns free memory to the system, on a worker: once closed layers are not referenced any more.
  void giveMemoryBack();

  /// While it brings back what was: nothing else may change the window.
  bool isRestoring() const { return restoring_; }
  bool canUndo() const { return history_.canUndo() || isWaiting(); }
  bool canRedo() const { return history_.canRedo() && !isWaiting(); }
  QString undoText() const { return history_.undoText(); }
  QString redoText() const { return history_.redoText(); }
  void undo();
  void redo();
  /// While `held` says so, e.g. because a hand drags a slider, changes go on to be one step.
  void setHeld(std::function<bool()> held) { held_ = std::move(held); }

  /// From now on saves what is open into a folder of its own in `parent` whenever it has changed, at most
  /// every `milliseconds`.
  void autosaveIn(const std::filesystem::path& parent);
  void setAutosaveInterval(int milliseconds) { autosaving_.setInterval(milliseconds); }
  /// Saves now what has changed since.
  void autosave();
  /// When the newest state was saved that a window left behind that did not end well; "" for none.
  QString recoverable();
  /// Opens that state, and saves on in its folder.
  void recover(const QString& lookIn = {}, bool rest = false);
  /// Drops that state for good.
  void dropRecoverable();

 signals:
  /// File, modified() or what can be undone may differ.
  void changed();
  void saved(const QString& file);
  /// A session was opened; `notes` say what is otherwise than when it was saved.
  void opened(const QString& file, const QStringList& notes);
  /// One could not be opened, or was not wanted any more: all is as it was.
  void notOpened();
  /// Files of a session are missing; open() and recover() can be given a folder to search.
  void missing(const QString& file, const QStringList& files, bool recovering);

 private:
  using Stored = std::shared_ptr<jobs::StoredContents>;
  void watch();
  /// Something changed that undo takes back.
  void changeSoon();
  void layerChanged(LayerId id);
  void viewMoved() { unsavedView_ = true; }
  void note();
  bool isWaiting() const { return soon_.isActive(); }
  void openFrom(const QString& file, const QString& lookIn, bool rest,
                const std::shared_ptr<jobs::AutosaveFolder>& recovered);
  void restore(const SessionState& state);

  Workspace& workspace_;
  JobQueue& files_;
  History history_;
  QTimer soon_, autosaving_;
  std::function<bool()> held_;
  QString file_;
  int opened_ = 0;  ///< how often something else was opened, or all was closed
  int savedStamp_ = 0;
  bool restoring_ = false, toldModified_ = false;
  Stored stored_ =
      std::make_shared<jobs::StoredContents>();  ///< in the folder of file_; touched on the file queue
  std::filesystem::path parent_;                 ///< of folders to autosave to; "" for none
  std::shared_ptr<jobs::AutosaveFolder> folder_;
  Stored autosaved_ = std::make_shared<jobs::StoredContents>();
  std::vector<std::shared_ptr<jobs::AutosaveFolder>> abandoned_;
  bool looked_ = false;  ///< for abandoned ones
  int autosavedStamp_ = 0;
  bool unsavedView_ = false, writing_ = false, toldFault_ = false;
};

}  // namespace sulcus::ui::model
