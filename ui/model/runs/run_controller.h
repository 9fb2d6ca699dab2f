#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/analysis_presenter.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/run.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui::model {

class RunAdjuster;
class RunComparer;
class RunJobs;
struct FinishedRun;
struct RunRequest;

/// Starts analyses on the computing queue and puts their results on the stack. Lives on the UI thread.
class RunController : public QObject {
  Q_OBJECT
 public:
  /// What runs are made on; the queues must post to this thread.
  struct Workers {
    JobQueue& computing;  ///< runs here, and comparisons
    JobQueue& remote;     ///< runs on other machines, beside those here
    JobQueue& quick;      ///< what answers at once, while a run goes on too
    /// Says where the GPU stands, see remote_hosts.h, on the thread that makes the run; may be empty.
    std::function<void(const std::string&)> usePlace;
  };
  /// All must outlive this.
  RunController(LayerStack& layers, JobListModel& jobs, Workers workers, QObject* parent = nullptr);

  /// How many threads later runs use at most; 0: all.
  void setThreads(int threads) { threads_ = threads; }
  /// Runs with the present choices; for `both` also compares. Call only when whyNot(choice) is empty.
  void start(const AnalysisPresenter& presenter, RunChoice choice);
  /// Runs with the present choices in the place of an earlier run: its layers stay and get new content, its
  /// job leaves the list; cancelled, all is as before, and the job leaves the list.
  ///
  /// @param replaced  id of the earlier run; 0, or of one that is gone: in a place of its own
  /// @param slice     is shown first where the analysis can (Analysis::inSlice)
  JobId startLive(const AnalysisPresenter& presenter, Backend backend, int replaced,
                  const SliceInView& slice);
  /// All that can be held against something: the runs, then the layers, the uppermost first.
  std::vector<RunPtr> sides() const;
  /// Whether two of the sides are runs of one analysis, or layers of one kind, or a run and a layer like one
  /// of its own.
  bool mayCompare(const RunPtr& a, const RunPtr& b) const;
  /// Compares two of the sides; of a run beside a layer the layer that is like it.
  void compare(const RunPtr& a, const RunPtr& b);
  /// Adjusts one run of an analysis to values of options marked `afterwards`: the run whose layer is current,
  /// else the newest one, which may still go on; and with it the one that was started together with it. Only
  /// the newest choice counts.
  void adjust(const Analysis& analysis, const OptionValues& changed);
  /// What the runs are called that adjust() would change now; none where it would leave no other of the
  /// analysis as it is.
  QStringList adjustedAlone(const Analysis& analysis) const;
  /// Whether the run will have other values when its adjustment is over.
  bool isAdjusting(int runId) const;

  /// Makes a run from a session again of its inputs, to the same numbers, in the place of what was stored:
  /// then it has all that a run gives. Others are left alone.
  void makeAgain(const RunPtr& run);

  /// Puts a run on the stack that was saved and needs nothing of its inputs (Analysis::reopen), with the
  /// present choices of its presenter. It counts as one from a session: what it lacks is made again.
  ///
  /// @param gone  slots whose input is not there any more
  void reopen(const AnalysisPresenter& presenter, Backend backend, RunResult result,
              const std::vector<std::string>& gone);

  RunsState state() const;
  /// Makes the runs those that were there before. Their layers are on the stack already and stay as they are.
  void restore(const RunsState& state);
  /// Layers on the stack that belong to runs that are not over, and to no other.
  std::vector<LayerId> previews() const;
  /// What layers of finished runs showed of them, while live runs show previews in their place.
  std::map<LayerId, LayerPtr> beforePreviews() const;

  /// No run and no pair has this id or a greater one, or ever had.
  int nextId() const { return std::max(nextRun_, nextTogether_); }

  const std::vector<RunPtr>& runs() const { return runs_; }
  RunPtr run(int id) const;
  /// The run that made a layer, or null.
  RunPtr runOf(LayerId id) const;
  /// Runs and comparisons that are not over.
  int pending() const;
  /// Runs that are not over and were given one of these layers.
  int runsOn(const std::vector<LayerId>& inputs) const;

 signals:
  void finished(RunPtr run);
  /// The first layers of a run are about to be shown.
  void placed(const Analysis* analysis);
  /// Layers of a run came or went: its first preview, its result, a contrast that was added; undo.
  void layersShown(const std::vector<LayerId>& layers);
  /// The plots of a run that goes on, in the place of those shown before; none: it has ended or was stopped.
  void plotsPreviewed(const std::vector<Plot>& plots);
  /// A run has another result than before: one from a session, or one that a live run has replaced.
  void madeAgain(RunPtr run);
  /// A result has been adjusted.
  void adjusted(RunPtr run);
  /// runs() is longer or shorter, or some are called otherwise: a run goes when the last of its layers is
  /// removed.
  void runsChanged();
  void compared(ComparedPtr comparison);
  /// They are about to be compared. `again`: runs of a session, which are made again first.
  void comparing(const QString& a, const QString& b, bool again);
  /// One of the two runs that were compared last has gone: their comparison says nothing of what is there.
  void comparisonGone();
  /// Once per failed job; the sentence is fit for a dialog.
  void failed(const QString& jobName, const QString& sentence);
  /// pending() has become 0.
  void idle();

 private:
  /// See adjust(); null where there is none.
  const Run* runToAdjust(const Analysis& analysis) const;
  JobId submit(RunRequest request);
  /// What makes a run; for a worker.
  std::function<RunResult(const Run&, const Progress&, const Analysis::Preview&)> backendFunction() const;
  /// Runs `recipe` with what is now on the stack under its input ids.
  void again(const Run& recipe);
  void forget(LayerId removed);
  /// Stops the runs that were given this layer: their results would be dropped.
  void stopRunsOn(LayerId input);
  /// Names all runs of an analysis by what differs among them now; whether one is called otherwise.
  bool retitle(const Analysis* analysis);
  bool inputsUnchanged(const Run& run) const;
  /// Gives a run its title and its place on the stack, unless it has them.
  void place(const RunRequest& request);
  void discardPreview(const RunRequest& request);
  void showPreview(const RunRequest& request);
  /// Null when the result had to be dropped.
  RunPtr deliver(const RunRequest& request, FinishedRun result);
  void wasMadeAgain(int runId, RunResult result);

  LayerStack& layers_;
  JobListModel& jobs_;
  Workers workers_;
  std::vector<RunPtr> runs_;
  PlacedRuns placed_;                                         ///< those of runs_, which only this may change
  std::map<JobId, std::shared_ptr<const RunRequest>> going_;  ///< runs that are not over
  std::map<JobId, OptionValues> chosen_;  ///< for runs that are not over: what they are to be adjusted to
  RunJobs* counted_;
  RunAdjuster* adjuster_;
  RunComparer* comparer_;
  int nextRun_ = 1, nextTogether_ = 1;
  int threads_ = 0;
};

}  // namespace sulcus::ui::model
