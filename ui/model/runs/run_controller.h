#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"
#include "ui/model/choices/analysis_presenter.h"
#include "ui/model/comparison/run_comparer.h"
#include "ui/model/layers/layer_stack.h"
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
class RunJobs;
struct FinishedRun;
struct RunRequest;

/// Starts analyses on the computing queue and puts their results on the stack. Lives on the UI thread.
class RunController : public QObject {
  Q_OBJECT
 public:
  /// Where the work is done; the queues must post to this thread.
  struct Workers {
    JobQueue& computing;  ///< runs on this machine, and comparisons
    JobQueue& remote;     ///< runs on other machines, in parallel with those here
    JobQueue& quick;      ///< what must respond at once, even during a run
    /// Sets the place of the GPU, see remote_hosts.h, on the thread that computes the run; may be empty.
    std::function<void(const std::string&)> usePlace;
  };
  /// All must outlive this.
  RunController(LayerStack& layers, JobListModel& jobs, Workers workers, QObject* parent = nullptr);

  /// Maximum number of threads for later runs; 0: all.
  void setThreads(int threads) { threads_ = threads; }
  /// Runs with the current choices; for `both` it also compares. Call only if whyNot(choice) is empty.
  void start(const AnalysisPresenter& presenter, RunChoice choice);
  /// Runs with the current choices in place of an earlier run: its layers stay and get new content, its job
  /// is removed from the list; if cancelled, everything is as before, and the new job is removed from the
  /// list.
  ///
  /// @param replaced  id of the earlier run; 0 or the id of a run that is gone: a place of its own
  /// @param slice     is shown first if the analysis supports it (Analysis::inSlice)
  JobId startLive(const AnalysisPresenter& presenter, Backend backend, int replaced,
                  const SliceInView& slice);
  /// Compares two of these runs, or two layers.
  RunComparer& comparer() { return *comparer_; }
  /// Adjusts one run of an analysis to values of options marked `adjustable`: the run whose layer is current,
  /// else the newest one, which may still be running; and with it the one that was started together with it.
  /// Only the newest choice counts.
  void adjust(const Analysis& analysis, const OptionValues& changed);
  /// The titles of the runs that adjust() would change now; none if it would leave no other run of the
  /// analysis unchanged.
  QStringList adjustedAlone(const Analysis& analysis) const;
  /// Whether the values of the run will change when its adjustment has finished.
  bool isAdjusting(int runId) const;

  /// Repeats a run from a session from its inputs, with identical numbers, in place of what was stored: then
  /// everything of a run is available. No effect on others.
  void makeAgain(const RunPtr& run);

  /// Puts a saved run that does not need its inputs (Analysis::reopen) on the stack, with the current choices
  /// of its presenter. It is treated like one from a session: what it lacks is recomputed.
  ///
  /// @param gone slots whose input no longer exists
  void reopen(const AnalysisPresenter& presenter, Backend backend, RunResult result,
              const std::vector<std::string>& gone);

  RunsState state() const;
  /// Restores earlier runs. Their layers are already on the stack and remain as they are.
  void restore(const RunsState& state);
  /// Layers on the stack that belong only to unfinished runs.
  std::vector<LayerId> previews() const;
  /// What layers of finished runs showed before live runs put previews in their place.
  std::map<LayerId, LayerPtr> beforePreviews() const;

  /// No run and no pair has, or ever had, this id or a greater one.
  int nextId() const { return std::max(nextRun_, nextTogether_); }

  const std::vector<RunPtr>& runs() const { return runs_; }
  RunPtr run(int id) const;
  /// The run that made a layer, or null.
  RunPtr runOf(LayerId id) const;
  /// Number of unfinished runs and comparisons.
  int pending() const;
  /// Number of unfinished runs that use one of these layers.
  int runsOn(const std::vector<LayerId>& inputs) const;

 signals:
  void finished(RunPtr run);
  /// The first layers of a run are about to be shown.
  void placed(const Analysis* analysis);
  /// The layers of a run changed: its first preview, its result, an added contrast; undo.
  void layersShown(const std::vector<LayerId>& layers);
  /// The plots of a running analysis, replacing those shown before; empty: it has ended or was stopped.
  void plotsPreviewed(const std::vector<Plot>& plots);
  /// The result of a run has changed: it comes from a session and was repeated, or a live run has replaced
  /// it.
  void madeAgain(RunPtr run);
  /// A result has been adjusted.
  void adjusted(RunPtr run);
  /// The number of runs() or some of their titles have changed: a run is removed with the last of its layers.
  void runsChanged();
  /// Once per failed job; the message is suitable for a dialog.
  void failed(const QString& jobName, const QString& sentence);
  /// pending() has become 0.
  void idle();

 private:
  /// The run that adjust() changes; null if there is none.
  const Run* runToAdjust(const Analysis& analysis) const;
  JobId submit(RunRequest request);
  /// The function that computes a run; for a worker.
  std::function<RunResult(const Run&, const Progress&, const Analysis::Preview&)> backendFunction() const;
  /// Runs `recipe` with the layers now on the stack under its input ids.
  void again(const Run& recipe);
  void forget(LayerId removed);
  /// Stops the runs that use this layer: their results would be dropped.
  void stopRunsOn(LayerId input);
  /// Titles all runs of an analysis by what now distinguishes them; returns whether a title changed.
  bool retitle(const Analysis* analysis);
  bool inputsUnchanged(const Run& run) const;
  /// Gives a run its title and its place on the stack, unless it has them.
  void place(const RunRequest& request);
  void discardPreview(const RunRequest& request);
  void showPreview(const RunRequest& request);
  /// Null if the result had to be dropped.
  RunPtr deliver(const RunRequest& request, FinishedRun result);
  void wasMadeAgain(int runId, RunResult result);

  LayerStack& layers_;
  JobListModel& jobs_;
  Workers workers_;
  std::vector<RunPtr> runs_;
  PlacedRuns placed_;                                         ///< the same as runs_, but modifiable
  std::map<JobId, std::shared_ptr<const RunRequest>> going_;  ///< unfinished runs
  std::map<JobId, OptionValues> chosen_;  ///< for unfinished runs: the values to which they will be adjusted
  RunJobs* counted_;
  RunAdjuster* adjuster_;
  RunComparer* comparer_;
  int nextRun_ = 1, nextTogether_ = 1;
  int threads_ = 0;
};

}  // namespace sulcus::ui::model
