#pragma once

#include "core/base/parallel/job_queue.h"
#include "ui/model/runs/run.h"

#include <QObject>
#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// The result of a run as it was adjusted last, without the text files that an adjustment does not write
/// anew. For workers.
RunResult shownResult(const Run& run, const Progress& progress);

/// Adjusts finished results without running again, one at a time and each to the newest values only. Lives on
/// the UI thread.
class RunAdjuster : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this, and `queue` must post to this thread.
  RunAdjuster(const PlacedRuns& placed, JobListModel& jobs, JobQueue& queue, QObject* parent)
      : QObject(parent), placed_(placed), jobs_(jobs), queue_(queue) {}

  /// Will adjust a run to these values besides those that it has; next() begins.
  void request(int runId, const OptionValues& changed);
  /// Begins the next adjustment that is wanted, unless one goes on.
  void next();
  /// Whether the run will have other values when its adjustment is over.
  bool isAdjusting(int runId) const;
  /// The run keeps the values that it has, since it cannot be adjusted.
  void drop(int runId) { wanted_.erase(runId); }
  /// The run is gone, or has another result.
  void forget(int runId);
  void forgetAll();

 signals:
  /// The result has no `adjust` yet: the run has to be made again, and next() called then.
  void needsResult(RunPtr run);
  void adjusted(RunPtr run);
  /// The run has other layers than before.
  void layersShown(const std::vector<LayerId>& layers);
  /// Nothing more is wanted of a run of the analysis.
  void settled(const Analysis* analysis);
  void failed(const QString& name, const QString& sentence);

 private:
  void apply(int runId, const OptionValues& values, std::vector<Layer> layers,
             const std::vector<std::string>& gone);

  const PlacedRuns& placed_;
  JobListModel& jobs_;
  JobQueue& queue_;
  std::map<int, OptionValues> wanted_;                  ///< by run id
  std::map<int, std::vector<std::string>> layerNames_;  ///< that `adjust` of a run gave last
  int last_ = 0;                                        ///< id of the run that was adjusted last
  std::optional<OptionValues> adjusting_;               ///< the values that it is being adjusted to
  std::string lastFault_;  ///< of an adjustment: reported once, not at every step of a slider
};

}  // namespace sulcus::ui::model
