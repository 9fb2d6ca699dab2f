#pragma once

#include "core/base/parallel/job_queue.h"
#include "ui/jobs/autosave_folder.h"
#include "ui/jobs/session_file.h"
#include "ui/model/session/history.h"
#include "ui/model/session/recent_files.h"

#include <QObject>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace sulcus::ui::model {

class Workspace;

/// The open session: its file, undo and redo, and autosave. Lives on the UI thread; reads and writes on the
/// file queue.
class Session : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this, `files` must post to this thread.
  Session(Workspace& workspace, JobQueue& files, QSettings& settings);
  ~Session() override;

  /// The file from which it was opened or to which it was last saved; "" for none.
  QString file() const { return file_; }
  /// Whether closing would lose something: work since its file was written, or unsaved results.
  bool modified() const;
  /// Describes what is lost when everything is closed; "": nothing.
  QString loss() const;
  /// Describes what would be lost with these layers: unsaved results, runs that use them; "": nothing.
  QString lossOf(const std::vector<LayerId>& layers) const;
  /// The session files that were opened and saved last.
  RecentFiles& recent() { return recent_; }

  /// Whether undo can restore these layers: no run uses them, and they are not too large.
  bool canBringBack(const std::vector<LayerId>& layers);

  /// Saves it; `then` is called on success, unless something else has been opened meanwhile.
  void save(const QString& file, const std::function<void()>& then = {});
  /// Opens a session in place of everything open; nothing changes if it cannot be opened. If files are
  /// missing, only missing() follows, unless `rest`. `lookIn`: an additional folder to search for them.
  void open(const QString& file, const QString& lookIn = {}, bool rest = false);
  /// Closes all layers; there is nothing left to undo.
  void close();
  /// Returns free memory to the system, on a worker: after runs, and once all layers are closed.
  void giveMemoryBack();

  /// During a restore, nothing else may change the window.
  bool isRestoring() const { return restoring_; }
  bool canUndo() const { return history_.canUndo() || isWaiting(); }
  bool canRedo() const { return history_.canRedo() && !isWaiting(); }
  QString undoText() const { return history_.undoText(); }
  QString redoText() const { return history_.redoText(); }
  void undo();
  void redo();
  /// While `held` returns true, e.g. during the drag of a slider, changes continue to be one step.
  void setHeld(std::function<bool()> held) { held_ = std::move(held); }

  /// From now on saves what is open to its own folder in `parent` whenever it has changed, at most every
  /// `milliseconds`.
  void autosaveIn(const std::filesystem::path& parent);
  void setAutosaveInterval(int milliseconds) { autosaving_.setInterval(milliseconds); }
  /// Saves changes since the last autosave now.
  void autosave();
  /// When the newest state left behind by a window that crashed was saved; "" for none.
  QString recoverable();
  /// Opens that state, and continues to save in its folder.
  void recover(const QString& lookIn = {}, bool rest = false);
  /// Deletes that state.
  void dropRecoverable();

 signals:
  /// The file, modified() or what can be undone may have changed.
  void changed();
  void saved(const QString& file);
  /// A session was opened; `notes` list the differences from when it was saved.
  void opened(const QString& file, const QStringList& notes);
  /// A session could not be opened, or was no longer wanted: everything is as it was.
  void notOpened();
  /// Files of a session are missing; open() and recover() accept a folder to search.
  void missing(const QString& file, const QStringList& files, bool recovering);

 private:
  using Stored = std::shared_ptr<jobs::StoredContents>;
  void watch();
  /// Something changed that undo can revert.
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
  RecentFiles recent_;
  History history_;
  QTimer soon_, autosaving_;
  std::function<bool()> held_;
  QString file_;
  int opened_ = 0;  ///< counts how often something else was opened, or everything was closed
  int savedStamp_ = 0;
  bool restoring_ = false, toldModified_ = false;
  Stored stored_ =
      std::make_shared<jobs::StoredContents>();  ///< in the folder of file_; used on the file queue
  std::filesystem::path parent_;                 ///< of autosave folders; "" for none
  std::shared_ptr<jobs::AutosaveFolder> folder_;
  Stored autosaved_ = std::make_shared<jobs::StoredContents>();
  std::vector<std::shared_ptr<jobs::AutosaveFolder>> abandoned_;
  bool looked_ = false;  ///< whether abandoned ones were searched
  int autosavedStamp_ = 0;
  bool unsavedView_ = false, writing_ = false, toldFault_ = false;
};

}  // namespace sulcus::ui::model
