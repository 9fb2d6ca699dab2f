// RunController: runs as sessions and undo keep them.
#include "core/base/parallel/parallel_for.h"
#include "ui/model/runs/compared_layers.h"
#include "ui/model/runs/run_request.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::model {

RunsState RunController::state() const {
  RunsState state;
  for (const RunPtr& run : runs_) state.runs.push_back({*run, placed_.at(run->id).layers->shown()});
  state.compared = compared_;
  return state;
}

void RunController::restore(const RunsState& state) {
  if (state == this->state()) return;
  const std::map<int, Placed> before = std::exchange(placed_, {});
  runs_.clear();
  for (const auto& [run, shown] : state.runs) {
    const auto known = before.find(run.id);
    Placed placed;
    placed.run = known != before.end() ? known->second.run : std::make_shared<Run>();
    placed.layers =
        known != before.end() ? known->second.layers : std::make_shared<RunLayers>(layers_, run.title);
    placed.beingMade = known != before.end() && known->second.beingMade;
    // A run that has been made again meanwhile stays so.
    const auto result = run.stored && !placed.run->stored ? placed.run->result : nullptr;
    *placed.run = run;
    if (result) placed.run->result = result, placed.run->stored = false;
    placed.layers->restore(shown, run.title);
    runs_.push_back(placed.run);
    placed_[run.id] = std::move(placed);
    nextRun_ = std::max(nextRun_, run.id + 1);
    nextTogether_ = std::max(nextTogether_, run.together + 1);
  }
  emit runsChanged();
  for (const auto& [id, placed] : placed_) emit layersShown(placed.layers->ids());
  const auto now = [this](const RunPtr& side) {
    return !isLayerSide(*side) ? run(side->id) : isThere(*side) ? side : nullptr;
  };
  const RunPtr a = state.compared ? now(state.compared->a) : nullptr;
  const RunPtr b = state.compared ? now(state.compared->b) : nullptr;
  if (compared_ && a == compared_->a && b == compared_->b) return;
  if (!a || !b) {
    if (std::exchange(compared_, nullptr)) emit comparisonGone();
    return;
  }
  auto again = std::make_shared<ComparedRuns>(*state.compared);
  again->a = a, again->b = b;
  compared_ = std::move(again);
  emit compared(compared_);
}

void RunController::reopen(const AnalysisPresenter& presenter, Backend backend, RunResult result,
                           const std::vector<std::string>& gone) {
  Request request;
  request.run = recipeOf(presenter);
  request.run.backend = backend, request.run.stored = true;
  for (const std::string& slot : gone) request.run.inputIds.emplace(slot, 0);
  request.run.job = jobs_.add(tr("%1: opened").arg(words(presenter.analysis().title)), backendTitle(backend));
  jobs_.report(request.run.job, {JobState::done, 1, {}, {}});
  setRanges(result.layers);
  Finished finished{std::move(result), {}};
  finished.layers = finished.result.layers;
  deliver(request, std::move(finished));
  if (retitle(request.run.analysis)) emit runsChanged();
}

void RunController::makeAgain(const RunPtr& run) {
  const auto found = placed_.find(run->id);
  if (!run->stored || found == placed_.end() || found->second.beingMade) return;
  const Analysis& analysis = *run->analysis;
  const QString title = words(analysis.title);
  if (run->inputs.size() < run->inputIds.size()) {
    found->second.wanted.reset();
    emit failed(title,
                tr("%1 cannot be made again (an input of it is gone or has changed since the session was "
                   "saved): bring the file back and open the session again, or start a new run.")
                    .arg(run->title));
    return;
  }
  const JobId job =
      jobs_.add(tr("%1: make %2 again").arg(title, run->title), backendTitle(run->backend, run->place));
  ++pending_;
  found->second.beingMade = true;
  found->second.run->job = job;
  jobs_.log(job, tr("What was saved of a run is what it showed. What else it gives, its sliders, plots and "
                    "comparisons, is made again of its inputs."));
  auto work = [recipe = *run, make = backendFunction()](const Progress& progress) {
    return make(recipe, progress, {});
  };
  auto done = [this, id = run->id](RunResult result) { wasMadeAgain(id, std::move(result)); };
  auto report = [this, &analysis, id = run->id, job, name = title](const JobReport& what) {
    if (what.state != JobState::queued && what.state != JobState::running)
      if (const auto placed = placed_.find(id); placed != placed_.end()) {
        placed->second.beingMade = false;
        if (placed->second.run->stored) placed->second.wanted.reset();
      }
    over(analysis, job, name, what);
  };
  jobs_.setTicket(job, queueOf(*run).submit(std::move(work), std::move(done), std::move(report)));
}

void RunController::wasMadeAgain(int runId, RunResult result) {
  const auto found = placed_.find(runId);
  if (found == placed_.end()) return;  // closed meanwhile
  const std::shared_ptr<Run> run = found->second.run;
  setRanges(result.layers);
  run->result = std::make_shared<const RunResult>(std::move(result));
  run->stored = false;
  emit madeAgain(run);
  nextAdjustment();
  const auto [a, b] = toCompare_;
  if (!a || !b || a->stored || b->stored) return;
  toCompare_ = {};
  if (this->run(a->id) && this->run(b->id)) compare(a, b);
}

}  // namespace sulcus::ui::model
