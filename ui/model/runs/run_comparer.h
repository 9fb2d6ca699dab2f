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

/// Holds two runs, or two layers, against each other. Lives on the UI thread.
class RunComparer : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this, and `queue` must post to this thread.
  RunComparer(const std::vector<RunPtr>& runs, LayerStack& layers, RunJobs& jobs, JobQueue& queue,
              QObject* parent);

  /// All that can be held against something: the runs, then the layers, the uppermost first.
  std::vector<RunPtr> sides() const;
  /// Whether two of the sides are runs of one analysis, or layers of one kind, or a run and a layer like one
  /// of its own.
  bool mayCompare(const RunPtr& a, const RunPtr& b) const;
  /// Compares two of the sides; of a run beside a layer the layer that is like it.
  void compare(RunPtr a, RunPtr b);
  /// Compares the two that were waiting for it, when both have been made again.
  void compareWaiting();
  /// What was compared with a run says nothing any more.
  void end(const RunPtr& with);
  /// What was compared last, while both are there.
  const ComparedPtr& compared() const { return compared_; }
  /// Makes the comparison one that was there before; its runs are there already.
  void restore(const ComparedPtr& state);

 signals:
  void finished(ComparedPtr comparison);
  /// They are about to be compared. `again`: runs of a session, which are made again first.
  void comparing(const QString& a, const QString& b, bool again);
  /// One of the two that were compared last has gone: their comparison says nothing of what is there.
  void gone();
  /// The run has to be made again, and compareWaiting() called then.
  void needsResult(RunPtr run);

 private:
  /// Ends the comparison with a layer that has been removed or changed.
  void endOf(LayerId layer);
  RunPtr run(int id) const;
  /// What of `side` is compared with `other`; null where nothing is like it.
  RunPtr sideLike(const RunPtr& side, const RunPtr& other) const;
  bool isThere(const Run& side) const;
  /// Puts what a comparison shows on the stack.
  void show(ComparedRuns& compared);
  /// Gives the surfaces of both the same colors.
  void shareColors(const Run& a, const Run& b);

  const std::vector<RunPtr>& runs_;
  LayerStack& layers_;
  RunJobs& jobs_;
  JobQueue& queue_;
  ComparedPtr compared_;
  std::pair<RunPtr, RunPtr> waiting_;  ///< for those that were stored to be made again
};

}  // namespace sulcus::ui::model
