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

/// The result of a run as last adjusted, without the text files that an adjustment does not update. For
/// workers.
RunResult shownResult(const Run& run, const Progress& progress);

/// Adjusts finished results without running again, one at a time and each to the newest values only. Lives on
/// the UI thread.
class RunAdjuster : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this, and `queue` must post to this thread.
  RunAdjuster(const PlacedRuns& placed, JobListModel& jobs, JobQueue& queue, QObject* parent)
      : QObject(parent), placed_(placed), jobs_(jobs), queue_(queue) {}

  /// Requests an adjustment of a run to these values in addition to its current ones; next() starts it.
  void request(int runId, const OptionValues& changed);
  /// Starts the next requested adjustment, unless one is in progress.
  void next();
  /// Whether the values of the run will change when its adjustment has finished.
  bool isAdjusting(int runId) const;
  /// The run keeps its values, since it cannot be adjusted.
  void drop(int runId) { wanted_.erase(runId); }
  /// The run is gone, or has another result.
  void forget(int runId);
  void forgetAll();

 signals:
  /// The result has no `adjust` yet: the run has to be repeated, and next() called afterwards.
  void needsResult(RunPtr run);
  void adjusted(RunPtr run);
  /// The layers of the run have changed.
  void layersShown(const std::vector<LayerId>& layers);
  /// No more adjustments are requested for runs of the analysis.
  void settled(const Analysis* analysis);
  void failed(const QString& name, const QString& sentence);

 private:
  /// The run whose adjustment is next, by turns, so that two compared results follow a slider together; or
  /// the end.
  std::map<int, OptionValues>::iterator nextWanted();
  void apply(int runId, const OptionValues& values, std::vector<Layer> layers,
             const std::vector<std::string>& gone);

  const PlacedRuns& placed_;
  JobListModel& jobs_;
  JobQueue& queue_;
  std::map<int, OptionValues> wanted_;                  ///< by run id
  std::map<int, std::vector<std::string>> layerNames_;  ///< from the last `adjust` of a run
  int last_ = 0;                                        ///< id of the run that was adjusted last
  std::optional<OptionValues> adjusting_;               ///< the values to which it is being adjusted
  Message lastFault_;  ///< of an adjustment: reported once, not at every step of a slider
};

}  // namespace sulcus::ui::model
