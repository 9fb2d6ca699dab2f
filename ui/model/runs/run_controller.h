#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/job_queue.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/analysis_presenter.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/run_layers.h"

#include <QObject>
#include <QString>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

/// A finished run: what it was given, what it gave, and where that is on screen.
struct Run {
  int id = 0;
  const Analysis* analysis = nullptr;
  Backend backend = Backend::cpu;
  QString place;  ///< where its GPU stands, see remote_hosts.h; "": here
  QString title;  ///< "CPU", "GPU", "CPU, ν_e 45": as runTitles() names it beside the others
  AnalysisInputs inputs;
  std::multimap<std::string, LayerId> inputIds;
  std::multimap<std::string, QString> inputNames;  ///< as they were called on screen when it was started
  JobId job = 0;
  OptionValues options;                     ///< those marked `afterwards` as they were last adjusted
  OptionValues computed;                    ///< as they were when it was run
  std::shared_ptr<const RunResult> result;  ///< as it was computed
  bool adjusted = false;                    ///< the layers are not those of `result` any more
  std::vector<LayerId> layers;              ///< on the stack, the first one first
  int together = 0;                         ///< the same for both of one *Run both*; 0: it was run alone
  /// It comes from a session or a folder: `result` has what is shown of it, and what else a run gives
  /// (comparisons; sliders and plots unless it has them) only when it has been made again.
  bool stored = false;

  friend bool operator==(const Run&, const Run&) = default;
};
using RunPtr = std::shared_ptr<const Run>;

/// The result of a run as it was adjusted last, without the text files that an adjustment does not write
/// anew. For workers.
RunResult shownResult(const Run& run, const Progress& progress);

/// Two runs of one analysis, or two layers (compared_layers.h), held against each other.
struct ComparedRuns {
  RunPtr a, b;
  Comparison comparison;
  std::vector<AgreementRow> truthA, truthB;  ///< empty without truth
  LayerId difference = 0;
  LayerId before = 0;  ///< what both began with; 0: not shown
};
using ComparedPtr = std::shared_ptr<const ComparedRuns>;

/// All finished runs and what was compared last, as sessions and undo keep them.
struct RunsState {
  struct Placed {
    Run run;
    std::vector<RunLayers::Shown> shown;

    friend bool operator==(const Placed&, const Placed&) = default;
  };
  std::vector<Placed> runs;
  ComparedPtr compared;  ///< its runs count by their ids

  friend bool operator==(const RunsState&, const RunsState&) = default;
};

/// What `--backend` makes such a run by: "cpu", "gpu", or the place of its GPU.
std::string backendFlag(const Run& run);
/// "CPU", "GPU", or what the place of the GPU is called.
QString backendTitle(Backend backend, const QString& place = {});

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
  ~RunController() override;

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
  void compare(RunPtr a, RunPtr b);
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
  int pending() const { return pending_; }
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
  struct Request;
  struct Preview;
  /// See adjust(); null where there is none.
  const Run* runToAdjust(const Analysis& analysis) const;
  static bool belongTogether(const Run& a, const Run& b);
  struct Finished;
  /// A run with what a presenter holds now.
  Run recipeOf(const AnalysisPresenter& presenter) const;
  JobId submit(Request request);
  using Make = std::function<RunResult(const Run&, const Progress&, const Analysis::Preview&)>;
  /// What makes a run; for a worker.
  Make backendFunction() const;
  /// The result of a request, on the worker; what comes before it is left as previews.
  static Finished compute(const Request& request, const Make& make, const Progress& progress);
  JobQueue& queueOf(const Run& run) const {
    return run.place.isEmpty() ? workers_.computing : workers_.remote;
  }
  /// Runs `recipe` with what is now on the stack under its input ids.
  void again(const Run& recipe);
  void forget(LayerId removed);
  /// What was compared with a run says nothing any more.
  void endComparison(const RunPtr& with);
  /// Ends the comparison with a layer that has been removed or changed.
  void endComparisonOf(LayerId layer);
  /// What of `side` is compared with `other`; null where nothing is like it.
  RunPtr sideLike(const RunPtr& side, const RunPtr& other) const;
  bool isThere(const Run& side) const;
  /// Stops the runs that were given this layer: their results would be dropped.
  void stopRunsOn(LayerId input);
  /// Names all runs of an analysis by what differs among them now; whether one is called otherwise.
  bool retitle(const Analysis* analysis);
  bool inputsUnchanged(const Run& run) const;
  /// What is on the stack under these ids; a slot is absent where its layer is gone.
  AnalysisInputs inputsNow(const std::multimap<std::string, LayerId>& ids) const;
  /// Gives a run its title and its place on the stack, unless it has them.
  void place(const Request& request);
  void discardPreview(const Request& request);
  void showPreview(const Request& request);
  /// Null when the result had to be dropped.
  RunPtr deliver(const Request& request, Finished result);
  /// Puts what a comparison shows on the stack.
  void showCompared(ComparedRuns& compared);
  void wasMadeAgain(int runId, RunResult result);
  void over(const Analysis& analysis, JobId job, const QString& name, JobReport report);
  void requestAdjustment(int runId, const OptionValues& changed);
  void nextAdjustment();
  void applyAdjustment(int runId, const OptionValues& values, std::vector<Layer> layers,
                       const std::vector<std::string>& gone);

  LayerStack& layers_;
  JobListModel& jobs_;
  Workers workers_;
  /// A run that has layers on the stack, with what only this may change of it.
  struct Placed {
    std::shared_ptr<Run> run;  ///< the one in runs_
    std::shared_ptr<RunLayers> layers;
    std::optional<OptionValues> wanted;                ///< an adjustment that is to be made
    std::optional<std::vector<std::string>> adjusted;  ///< names of the layers that `adjust` gave last
    bool beingMade = false;                            ///< again
  };
  std::vector<RunPtr> runs_;
  std::map<int, Placed> placed_;                           ///< by run id
  std::map<JobId, std::shared_ptr<const Request>> going_;  ///< runs that are not over
  ComparedPtr compared_;                                   ///< the last two, while both are there
  std::pair<RunPtr, RunPtr> toCompare_;  ///< as soon as those that were stored have been made again
  int nextRun_ = 1, nextTogether_ = 1;
  int threads_ = 0;
  int pending_ = 0;

  std::map<JobId, OptionValues> chosen_;   ///< for runs that are not over: what they are to be adjusted to
  int lastAdjusted_ = 0;                   ///< run id
  std::optional<OptionValues> adjusting_;  ///< the values that a result is being adjusted to
  std::string lastFault_;                  ///< of an adjustment: reported once, not at every step of a slider
};

}  // namespace sulcus::ui::model
