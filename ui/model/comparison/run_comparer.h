#pragma once

#include "core/base/parallel/job_queue.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/run.h"
#include "ui/model/runs/run_jobs.h"

#include <QObject>
#include <QString>
#include <utility>
#include <vector>

namespace sulcus::ui::model {

/// Compares two runs, or two layers. Lives on the UI thread.
class RunComparer : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this, and `queue` must post to this thread.
  RunComparer(const std::vector<RunPtr>& runs, LayerStack& layers, RunJobs& jobs, JobQueue& queue,
              QObject* parent);

  /// Everything that can be compared: the runs, then the layers, topmost first.
  std::vector<RunPtr> sides() const;
  /// Whether the two sides are runs of one analysis, layers of the same kind, or a run and a layer similar to
  /// one of its own.
  bool mayCompare(const RunPtr& a, const RunPtr& b) const;
  /// Compares two sides; for a run and a layer, the run's layer that matches it.
  void compare(RunPtr a, RunPtr b);
  /// Compares the two runs that were waiting, once both have been repeated.
  void compareWaiting();
  /// A comparison with this run is no longer valid.
  void end(const RunPtr& with);
  /// The last comparison, while both sides exist.
  const ComparedPtr& compared() const { return compared_; }
  /// Restores an earlier comparison; its runs already exist.
  void restore(const ComparedPtr& state);

 signals:
  void finished(ComparedPtr comparison);
  /// They are about to be compared. `again`: they are runs from a session, which are repeated first.
  void comparing(const QString& a, const QString& b, bool again);
  /// One of the last two sides compared is gone: their comparison no longer applies.
  void gone();
  /// The run has to be repeated, and compareWaiting() called afterwards.
  void needsResult(RunPtr run);

 private:
  /// Ends the comparison with a layer that has been removed or changed.
  void endOf(LayerId layer);
  RunPtr run(int id) const;
  /// What of `side` is compared with `other`; null if nothing matches it.
  RunPtr sideLike(const RunPtr& side, const RunPtr& other) const;
  bool isThere(const Run& side) const;
  LayerId shownOf(const Run& run, const LayerContent& content) const;
  /// Puts the layers of a comparison on the stack; `maps` are those of its two sides, if it has any.
  void show(ComparedRuns& compared, const std::optional<std::array<Layer, 2>>& maps);
  /// Gives the surfaces of both the same colors.
  void shareColors(const Run& a, const Run& b);

  const std::vector<RunPtr>& runs_;
  LayerStack& layers_;
  RunJobs& jobs_;
  JobQueue& queue_;
  ComparedPtr compared_;
  std::pair<RunPtr, RunPtr> waiting_;  ///< waiting for those restored from a session to be repeated
};

}  // namespace sulcus::ui::model
