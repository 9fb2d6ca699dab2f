#pragma once

#include "core/base/parallel/job_queue.h"
#include "core/io/dicom/dicom_thumbnail.h"
#include "core/io/files.h"
#include "ui/jobs/saved_run.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/session/recent_files.h"

#include <QObject>
#include <QStringList>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::ui::jobs {

/// Opens and saves files in jobs on the file queue. Lives on the UI thread.
class FileJobs : public QObject {
  Q_OBJECT
 public:
  using Then = std::function<void(model::LayerId)>;

  /// All must outlive this; the queue must post to this thread.
  FileJobs(model::LayerStack& layers, model::JobListModel& jobs, model::RecentFiles& recent, JobQueue& files,
           QObject* parent = nullptr);

  /// Opens files (scans, tables) and DICOM folders, each in its own job; `then` is called for every resulting
  /// layer, but not for tables that lie next to a series and are opened with it. Of many images of the same
  /// colors only the first is visible, since the others would lie over each other.
  void open(const QStringList& paths, const Then& then = {});
  void openSeries(const io::DicomSeries& series, const Then& then = {});
  /// Passes a thumbnail of a series to `then`, or nothing if there is none.
  void lookAt(const io::DicomSeries& series, const std::function<void(const io::Thumbnail&)>& then);
  /// Passes the names of the patients in the DICOM files of a layer to `then`, as io::patientNames().
  void findPatients(model::LayerId id, const std::function<void(const QStringList&)>& then);
  /// Replaces the gradients of a series by those of a file: one of an FSL pair, or an MRtrix table.
  void loadGradients(model::LayerId id, const QString& file);
  /// Shows a volume as labels, or labels as a volume.
  void takeAsLabels(model::LayerId id);
  void takeAsVolume(model::LayerId id);
  /// Reinterprets the content of a layer.
  void takeAs(model::LayerId id, const Reinterpretation& reinterpretation);
  /// Gives labels the names listed in a file.
  void nameLabels(model::LayerId id, const QString& file);
  /// Adds a file's values to the points of a surface: FreeSurfer's curv and similar files, or GIFTI.
  void loadPointValues(model::LayerId id, const QString& file);
  /// Puts what `make` returns on the stack as a computed layer, in a job of this name, and passes it to
  /// `then`.
  void make(const QString& name, std::function<Layer(const Progress&)> make, const Then& then = {});
  /// Puts several layers made by one job on the stack; the first one ends up on top.
  void makeAll(const QString& name, std::function<std::vector<Layer>(const Progress&)> make,
               const Then& then = {});
  /// Writes a layer as it is on screen under its name; an existing file is replaced (the file dialog has
  /// asked), but files next to a new one are not.
  void save(model::LayerId id, const QString& file);
  /// Writes a layer that is not in the window.
  void save(const LayerPtr& layer, const QString& file);
  /// Writes a run as it is shown, see saved_run.h, to a folder that does not contain one yet.
  void saveRun(const model::RunPtr& run, const QString& folder);
  /// Opens what a saved run was made from and passes it to `then`.
  void openRun(const QString& folder, const std::function<const Analysis*(const std::string&)>& analysisOf,
               const std::function<void(SavedRun)>& then);
  /// Writes what `encode` returns, e.g. a picture as PNG; `encode` is called on the worker and may throw
  /// Error. An existing file is replaced. `note`: JSON text that is saved next to it as NAME.png.json; "":
  /// none.
  void saveBytes(std::function<std::string()> encode, const QString& file, const std::string& note = {});
  void saveText(const QString& text, const QString& file, const std::string& note = {});
  /// Runs `what` as a job of this name on the file queue; `done` is called here if it succeeds, `otherwise`
  /// if it fails or is cancelled.
  model::JobId work(const QString& name, std::function<void(const Progress&)> what,
                    const std::function<void()>& done, const std::function<void()>& otherwise = {});

  /// Number of unfinished jobs.
  int pending() const { return pending_; }

  /// A scan and the tables found next to it, with the role of each.
  struct Opened {
    Layer layer;
    std::vector<Layer> others;  ///< what else is in its file
    std::vector<std::pair<QString, Layer>> beside;
  };

 signals:
  void opened(model::LayerId id);
  /// A table was found next to a scan and opened with it. `role`: "design", "events" or "confounds", by its
  /// name.
  void foundBeside(model::LayerId table, const QString& role, model::LayerId scan);
  /// So many images that were opened together are hidden.
  void hidden(int images);
  /// A folder holds several series: someone has to choose.
  void seriesFound(const QString& folder, const std::vector<io::DicomSeries>& series,
                   const FileJobs::Then& then);
  void saved(const QString& file);
  void failed(const QString& jobName, const QString& sentence);
  void idle();

 private:
  struct MultiFileOpen;
  /// `together`: what is opened with it, or null.
  void openFile(const QString& path, const Then& then,
                const std::shared_ptr<MultiFileOpen>& together = nullptr);
  /// Puts a file on the stack. `early`: the layer that shows its first volume, or 0.
  void show(Opened found, const Then& then, model::LayerId early,
            const std::shared_ptr<MultiFileOpen>& together);
  /// Puts the tables found next to a scan on the stack, unless they are open.
  std::vector<std::pair<QString, model::LayerId>> addTables(std::vector<std::pair<QString, Layer>> found);
  void openFolder(const QString& path, const Then& then);
  /// Puts what was opened on the stack, in place of `early`, whose first volume was shown.
  model::LayerId take(Layer layer, const Then& then, model::LayerId early = 0);
  /// An image that was opened after its labels or directions and is on top would cover them: it is moved
  /// below.
  void lowerImage(model::LayerId id);
  /// The layer of the same table that was found next to a scan, or 0.
  model::LayerId foundBefore(const Layer& layer) const;
  model::JobId writeLayer(const LayerPtr& layer, const QString& file, const std::function<void()>& written);
  model::JobId write(const QString& file, std::function<void(const Progress&)> writer,
                     const std::function<void()>& written = {});
  /// Replaces a layer by make(layer), and calls `then`.
  void replace(model::LayerId id, const QString& job, std::function<Layer(const Layer&)> make,
               const Then& then = {});
  /// `reported`: called with each report first.
  template <class Work, class Deliver>
  model::JobId submit(const QString& name, Work work, Deliver deliver,
                      const std::function<void(model::JobId, JobState)>& reported = {});

  model::LayerStack& layers_;
  std::set<model::LayerId> besideScans_;  ///< tables that the user has not chosen
  model::JobListModel& jobs_;
  model::RecentFiles& recent_;
  JobQueue& files_;
  int pending_ = 0;
};

}  // namespace sulcus::ui::jobs
