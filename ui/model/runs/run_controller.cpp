#include "ui/model/runs/run_controller.h"

#include "core/analysis/run_times.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/statistic_map.h"
#include "ui/model/runs/run_adjuster.h"
#include "ui/model/runs/run_jobs.h"
#include "ui/model/runs/run_request.h"
#include "ui/model/runs/run_titles.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// Explains in a job's log why its result was dropped.
QString droppedText() {
  return RunController::tr(
      "The result was dropped (its input was removed or replaced while it was computed): run again.");
}

/// Whether two runs were started together, or are the same.
bool belongTogether(const Run& a, const Run& b) {
  return &a == &b || (a.together > 0 && a.together == b.together);
}

/// A run with the current settings of a presenter.
Run recipeOf(const AnalysisPresenter& presenter, const LayerStack& layers) {
  Run run;
  run.analysis = &presenter.analysis();
  run.inputs = presenter.inputs().contents();
  run.inputIds = presenter.inputs().ids();
  for (const auto& [slot, id] : run.inputIds) run.inputNames.emplace(slot, layers.find(id)->name);
  run.options = presenter.options().values();
  return run;
}

/// The layers with these ids on the stack; a slot is absent if its layer is gone.
AnalysisInputs inputsNow(const LayerStack& layers, const std::multimap<std::string, LayerId>& ids) {
  AnalysisInputs inputs;
  for (const auto& [slot, id] : ids)
    if (const LayerState* state = layers.find(id)) inputs.emplace(slot, state->layer);
  return inputs;
}

JobQueue& queueOf(const RunController::Workers& workers, const Run& run) {
  return run.place.isEmpty() ? workers.computing : workers.remote;
}

/// The name of a key figure for readers: "largest R-hat" for "largest_rhat", "faces shown" for "shown_faces".
QString figureTitle(const QString& name) {
  static const std::map<QString, QString> kSigns{{"rhat", "R-hat"},
                                                 {"ess", RunController::tr("effective draws")},
                                                 {"sigma2", "σ²"},
                                                 {"logjac", "log J"}};
  QStringList parts = name.split(QLatin1Char('_'));
  for (QString& part : parts)
    if (const auto sign = kSigns.find(part); sign != kSigns.end()) part = sign->second;
  if (parts.front() == QLatin1String("shown") && parts.size() > 1)
    return RunController::tr("%1 shown").arg(parts.mid(1).join(QLatin1Char(' ')));
  return parts.join(QLatin1Char(' '));
}

}  // namespace

RunController::RunController(LayerStack& layers, JobListModel& jobs, Workers workers, QObject* parent)
    : QObject(parent), layers_(layers), jobs_(jobs), workers_(std::move(workers)) {
  connect(&layers_, &LayerStack::removed, this, &RunController::forget);
  connect(&layers_, &LayerStack::removed, this, &RunController::stopRunsOn);
  connect(&layers_, &LayerStack::contentChanged, this, &RunController::stopRunsOn);
  counted_ = new RunJobs(jobs_, this);
  connect(counted_, &RunJobs::failed, this, &RunController::failed);
  connect(counted_, &RunJobs::idle, this, &RunController::idle);
  adjuster_ = new RunAdjuster(placed_, jobs_, workers_.quick, this);
  connect(adjuster_, &RunAdjuster::needsResult, this, &RunController::makeAgain);
  connect(adjuster_, &RunAdjuster::adjusted, this, &RunController::adjusted);
  connect(adjuster_, &RunAdjuster::layersShown, this, &RunController::layersShown);
  connect(adjuster_, &RunAdjuster::failed, this, &RunController::failed);
  // Now, and not at every step: both runs of a pair have their values.
  connect(adjuster_, &RunAdjuster::settled, this, [this](const Analysis* analysis) {
    if (retitle(analysis)) emit runsChanged();
  });
  comparer_ = new RunComparer(runs_, layers_, *counted_, workers_.computing, this);
  connect(comparer_, &RunComparer::needsResult, this, &RunController::makeAgain);
}

void RunController::forget(LayerId removed) {
  const RunPtr run = runOf(removed);
  if (!run ||
      std::any_of(run->layers.begin(), run->layers.end(), [&](LayerId id) { return layers_.find(id); }))
    return;
  placed_.erase(run->id);
  adjuster_->forget(run->id);
  std::erase(runs_, run);
  retitle(run->analysis);
  emit runsChanged();
  comparer_->end(run);
}

void RunController::stopRunsOn(LayerId input) {
  for (const auto& [job, request] : going_) {
    const auto& ids = request->run.inputIds;
    const bool given =
        std::any_of(ids.begin(), ids.end(), [&](const auto& id) { return id.second == input; });
    if (!given || !jobs_.canCancel(job) || inputsUnchanged(request->run)) continue;
    jobs_.log(job, droppedText());
    jobs_.cancel(job);
  }
}

bool RunController::retitle(const Analysis* analysis) {
  std::vector<const Run*> named;
  std::vector<std::pair<QString*, RunLayers*>> titles;
  std::set<int> replaced;  // the runs replaced by what is shown of running ones
  for (const auto& [job, request] : going_)
    if (request->preview->placed) replaced.insert(request->replaces);
  for (auto& [id, placed] : placed_) {
    if (placed.run->analysis != analysis || replaced.contains(id)) continue;
    named.push_back(placed.run.get());
    titles.emplace_back(&placed.run->title, placed.layers.get());
  }
  for (auto& [job, request] : going_) {
    if (request->run.analysis != analysis || !request->preview->placed) continue;
    named.push_back(&request->run);
    titles.emplace_back(&request->preview->title, request->preview->place.get());
  }
  const QStringList made = runTitles(named);
  bool changed = false;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    changed = changed || *titles[i].first != made[qsizetype(i)];
    *titles[i].first = made[qsizetype(i)];
    titles[i].second->setTitle(made[qsizetype(i)]);
    jobs_.setWhere(named[i]->job, made[qsizetype(i)]);
  }
  return changed;
}

void RunController::start(const AnalysisPresenter& presenter, RunChoice choice) {
  RunRequest request;
  request.run = recipeOf(presenter, layers_);
  if (choice == RunChoice::both) {
    request.pair = std::make_shared<RunRequest::Pair>();
    request.run.together = nextTogether_++;
  }
  for (const Backend backend : {Backend::cpu, Backend::gpu}) {
    if (choice != RunChoice::both && (choice == RunChoice::gpu) != (backend == Backend::gpu)) continue;
    request.run.backend = backend;
    request.run.place = backend == Backend::gpu ? presenter.gpuHost() : QString();
    request.preview = std::make_shared<RunPreview>();
    submit(request);
  }
}

JobId RunController::startLive(const AnalysisPresenter& presenter, Backend backend, int replaced,
                               const SliceInView& slice) {
  RunRequest request;
  request.run = recipeOf(presenter, layers_);
  request.run.backend = backend;
  request.run.place = backend == Backend::gpu ? presenter.gpuHost() : QString();
  request.slice = slice;
  if (const auto placed = placed_.find(replaced); placed != placed_.end()) {
    request.replaces = replaced;
    request.preview->place = placed->second.layers;
  }
  return submit(std::move(request));
}

JobId RunController::submit(RunRequest asked) {
  const QString where = backendTitle(asked.run.backend, asked.run.place);
  const QString title = words(asked.run.analysis->title);
  const QString name = asked.slice ? tr("%1, live").arg(title) : title;
  Run recipe = asked.run;
  recipe.inputs.clear();  // the list of jobs must not keep closed scans in memory
  const JobId job = asked.run.job = counted_->begin(name, where, [this, recipe] { again(recipe); });
  const auto request = std::make_shared<const RunRequest>(std::move(asked));
  going_[job] = request;
  auto work = [request, make = backendFunction()](const Progress& progress) {
    return compute(*request, make, progress);
  };
  auto done = [this, request](FinishedRun finished) {
    const RunPtr run = deliver(*request, std::move(finished));
    if (!run || !request->pair) return;
    (run->backend == Backend::cpu ? request->pair->cpu : request->pair->gpu) = run;
    comparer_->compare(request->pair->cpu.lock(), request->pair->gpu.lock());
  };
  auto report = [this, request, job, said = tr("%1 on the %2").arg(name, where)](const JobReport& what) {
    if (what.state == JobState::running) showPreview(*request);
    if (what.state != JobState::queued && what.state != JobState::running) {
      going_.erase(job);
      chosen_.erase(job);
    }
    if (what.state == JobState::cancelled || what.state == JobState::failed) discardPreview(*request);
    counted_->report(*request->run.analysis, job, said, what);
    if (what.state == JobState::cancelled && request->slice) jobs_.remove(job);
  };
  jobs_.setTicket(
      job, queueOf(workers_, request->run).submit(std::move(work), std::move(done), std::move(report)));
  return job;
}

MakeRun RunController::backendFunction() const {
  return [threads = threads_, usePlace = workers_.usePlace](const Run& run, const Progress& progress,
                                                            const Analysis::Preview& preview) {
    const auto& function = run.backend == Backend::cpu ? run.analysis->cpu : run.analysis->gpu;
    RunResult result;
    withThreads(threads, [&] {
      if (usePlace) usePlace(run.place.toStdString());
      result = function(run.inputs, run.options, progress, preview);
    });
    return result;
  };
}

void RunController::again(const Run& recipe) {
  RunRequest request;
  request.run = recipe;
  request.run.inputs.clear();
  for (const auto& [slot, id] : recipe.inputIds) {
    const LayerState* state = layers_.find(id);
    if (!state) {
      emit failed(words(recipe.analysis->title),
                  tr("It cannot be run again (the image it was given as %1 was removed): open the image and "
                     "start a new run")
                      .arg(localizeForWindow(*recipe.analysis, Message::option(slot))));
      return;
    }
    request.run.inputs.emplace(slot, state->layer);
  }
  submit(std::move(request));
}

bool RunController::inputsUnchanged(const Run& run) const {
  return inputsNow(layers_, run.inputIds) == run.inputs;
}

void RunController::place(const RunRequest& request) {
  RunPreview& preview = *request.preview;
  if (std::exchange(preview.placed, true)) return;
  std::vector<LayerId> earlier;
  for (const auto& run : runs_)
    if (run->analysis == request.run.analysis && run->id != request.replaces)
      earlier.insert(earlier.end(), run->layers.begin(), run->layers.end());
  // A map of one person in the same colors would be taken for the result.
  for (const auto& [slot, id] : request.run.inputIds) {
    const LayerState* input = layers_.find(id);
    const bool isColored =
        input && std::holds_alternative<VolumeLayer>(input->layer->content) &&
        (isStatisticMap(*input->layer) || input->layer->display.colormap != Display().colormap);
    if (isColored) earlier.push_back(id);
  }
  if (!preview.place) preview.place = std::make_shared<RunLayers>(layers_, QString());
  for (const LayerId id : preview.place->ids()) preview.before[id] = layers_.find(id)->layer;
  retitle(request.run.analysis);
  emit runsChanged();
  preview.place->makeRoom(earlier);
  emit placed(request.run.analysis);
}

void RunController::discardPreview(const RunRequest& request) {
  RunPreview& preview = *request.preview;
  if (!std::exchange(preview.placed, false)) return;
  if (run(request.replaces))
    preview.place->bringBack(preview.before);
  else
    preview.place->discard();
  retitle(request.run.analysis);
  emit runsChanged();  // the titles of the others may become shorter again
  emit plotsPreviewed({});
}

void RunController::showPreview(const RunRequest& request) {
  // Each one redraws the window, which takes tens of milliseconds without a GPU.
  constexpr qint64 kMillisecondsBetween = 200;
  RunPreview& preview = *request.preview;
  if (preview.shown.isValid() && preview.shown.elapsed() < kMillisecondsBetween) return;
  auto state = preview.take();
  if (!state || state->layers.empty() || !inputsUnchanged(request.run)) return;
  const bool first = !preview.placed;
  place(request);
  preview.place->show(std::move(state->layers), true);
  preview.shown.start();
  if (first) emit layersShown(preview.place->ids());
  emit plotsPreviewed(state->plots);
}

RunPtr RunController::deliver(const RunRequest& request, FinishedRun made) {
  const JobId job = request.run.job;
  jobs_.log(job, words(timesText(made.result)));
  for (const auto& note : made.result.notes) {
    jobs_.log(job, noteText(*request.run.analysis, note));
    if (note.isWarning()) jobs_.callAttention(job);
  }
  std::vector<JobListModel::Figure> figures;
  for (const bids::Figure& figure : made.figures)
    figures.push_back({figureTitle(QString::fromStdString(figure.name)),
                       QString::fromStdString(bids::shownValue(figure.value) +
                                              (figure.unit.empty() ? "" : " " + figure.unit)),
                       words(figure.help)});
  jobs_.setFigures(job, std::move(figures));
  if (!inputsUnchanged(request.run)) {
    discardPreview(request);
    jobs_.log(job, droppedText());
    jobs_.callAttention(job);
    return nullptr;
  }
  place(request);
  const RunPtr replaced = this->run(request.replaces);
  request.preview->place->show(std::move(made.layers), false);
  const std::vector<LayerId> ids = request.preview->place->ids();
  const bool sameLayers = replaced && replaced->layers == ids;
  const auto run = replaced ? placed_.at(replaced->id).run : std::make_shared<Run>();
  const int id = replaced ? replaced->id : nextRun_++;
  if (replaced) jobs_.remove(replaced->job);
  *run = request.run;
  run->id = id;
  run->title = request.preview->title;
  run->layers = ids;
  run->computed = run->options;
  run->result = std::make_shared<const RunResult>(std::move(made.result));
  placed_[id] = {run, request.preview->place};
  adjuster_->forget(id);
  going_.erase(job);  // from now on it is titled among the finished ones
  if (!replaced) runs_.push_back(run);
  emit runsChanged();
  if (!sameLayers) emit layersShown(ids);
  emit finished(run);
  if (replaced) {
    emit madeAgain(run);
    comparer_->end(run);
  }
  emit plotsPreviewed({});  // now: plots of the same name change over without a gap
  if (const auto chosen = chosen_.extract(job)) adjuster_->request(run->id, chosen.mapped());
  adjuster_->next();
  return run;
}

int RunController::runsOn(const std::vector<LayerId>& inputs) const {
  return int(std::count_if(going_.begin(), going_.end(), [&](const auto& going) {
    const auto& ids = going.second->run.inputIds;
    return std::any_of(ids.begin(), ids.end(), [&](const auto& id) {
      return std::find(inputs.begin(), inputs.end(), id.second) != inputs.end();
    });
  }));
}

std::vector<LayerId> RunController::previews() const {
  std::vector<LayerId> ids;
  for (const auto& [job, request] : going_) {
    if (!request->preview->placed || run(request->replaces)) continue;
    const auto shown = request->preview->place->ids();
    ids.insert(ids.end(), shown.begin(), shown.end());
  }
  return ids;
}

RunPtr RunController::run(int id) const {
  const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const RunPtr& r) { return r->id == id; });
  return found == runs_.end() ? nullptr : *found;
}

RunPtr RunController::runOf(LayerId id) const {
  for (const auto& run : runs_)
    if (std::find(run->layers.begin(), run->layers.end(), id) != run->layers.end()) return run;
  return nullptr;
}

std::map<LayerId, LayerPtr> RunController::beforePreviews() const {
  std::map<LayerId, LayerPtr> before;
  for (const auto& [job, request] : going_)
    if (request->preview->placed && run(request->replaces))
      before.insert(request->preview->before.begin(), request->preview->before.end());
  return before;
}

const Run* RunController::runToAdjust(const Analysis& analysis) const {
  // The run whose layer is current; while it is running it has only a job.
  const LayerId current = layers_.current();
  const Run* chosen = runOf(current).get();
  for (const auto& [job, request] : going_) {
    const auto& place = request->preview->place;
    const auto ids = request->preview->placed ? place->ids() : std::vector<LayerId>();
    if (std::find(ids.begin(), ids.end(), current) != ids.end()) chosen = &request->run;
  }
  if (!chosen || chosen->analysis != &analysis) {
    chosen = nullptr;
    for (const RunPtr& run : runs_)
      if (run->analysis == &analysis) chosen = run.get();
    for (const auto& [job, request] : going_)
      if (request->run.analysis == &analysis) chosen = &request->run;
  }
  return chosen;
}

QStringList RunController::adjustedAlone(const Analysis& analysis) const {
  const Run* const chosen = runToAdjust(analysis);
  QStringList titles;
  bool others = false;
  for (const RunPtr& run : runs_)
    if (chosen && run->analysis == &analysis && belongTogether(*run, *chosen))
      titles << run->title;
    else
      others = others || run->analysis == &analysis;
  return others ? titles : QStringList();
}

void RunController::adjust(const Analysis& analysis, const OptionValues& changed) {
  const Run* const chosen = runToAdjust(analysis);
  if (!chosen) return;
  const auto belongs = [&](const Run& run) { return belongTogether(run, *chosen); };
  for (const auto& [job, request] : going_)
    if (belongs(request->run) || (chosen->id != 0 && request->replaces == chosen->id))
      for (const auto& [name, value] : changed) chosen_[job][name] = value;
  for (const RunPtr& run : runs_)
    if (belongs(*run)) adjuster_->request(run->id, changed);
  adjuster_->next();
}

RunsState RunController::state() const {
  RunsState state;
  for (const RunPtr& run : runs_) state.runs.push_back({*run, placed_.at(run->id).layers->shown()});
  state.compared = comparer_->compared();
  return state;
}

void RunController::restore(const RunsState& state) {
  if (state == this->state()) return;
  const PlacedRuns before = std::exchange(placed_, {});
  adjuster_->forgetAll();
  runs_.clear();
  for (const auto& [run, shown] : state.runs) {
    const auto known = before.find(run.id);
    PlacedRun placed;
    placed.run = known != before.end() ? known->second.run : std::make_shared<Run>();
    placed.layers =
        known != before.end() ? known->second.layers : std::make_shared<RunLayers>(layers_, run.title);
    placed.beingMade = known != before.end() && known->second.beingMade;
    // A run that has been repeated meanwhile stays so.
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
  comparer_->restore(state.compared);
}

void RunController::reopen(const AnalysisPresenter& presenter, Backend backend, RunResult result,
                           const std::vector<std::string>& gone) {
  RunRequest request;
  request.run = recipeOf(presenter, layers_);
  request.run.backend = backend;
  request.run.stored = true;
  for (const std::string& slot : gone) request.run.inputIds.emplace(slot, 0);
  request.run.job = jobs_.add(tr("%1: opened").arg(words(presenter.analysis().title)), backendTitle(backend));
  jobs_.report(request.run.job, {JobState::done, 1, {}, {}});
  setRanges(result.layers);
  FinishedRun finished{std::move(result), {}};
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
    adjuster_->drop(run->id);
    emit failed(title,
                tr("%1 cannot be repeated (one of its inputs is missing or has changed since the session was "
                   "saved): restore the file and open the session again, or start a new run.")
                    .arg(run->title));
    return;
  }
  const JobId job =
      counted_->begin(tr("%1: make %2 again").arg(title, run->title), backendTitle(run->backend, run->place));
  found->second.beingMade = true;
  found->second.run->job = job;
  jobs_.log(job, tr("A session stores what a run showed. Everything else, its sliders, plots and "
                    "comparisons, is recomputed from its inputs."));
  auto work = [recipe = *run, make = backendFunction()](const Progress& progress) {
    return make(recipe, progress, {});
  };
  auto done = [this, id = run->id](RunResult result) { wasMadeAgain(id, std::move(result)); };
  auto report = [this, &analysis, id = run->id, job, name = title](const JobReport& what) {
    if (what.state != JobState::queued && what.state != JobState::running)
      if (const auto placed = placed_.find(id); placed != placed_.end()) {
        placed->second.beingMade = false;
        if (placed->second.run->stored) adjuster_->drop(id);
      }
    counted_->report(analysis, job, name, what);
  };
  jobs_.setTicket(job, queueOf(workers_, *run).submit(std::move(work), std::move(done), std::move(report)));
}

void RunController::wasMadeAgain(int runId, RunResult result) {
  const auto found = placed_.find(runId);
  if (found == placed_.end()) return;  // closed meanwhile
  const std::shared_ptr<Run> run = found->second.run;
  setRanges(result.layers);
  run->result = std::make_shared<const RunResult>(std::move(result));
  run->stored = false;
  emit madeAgain(run);
  adjuster_->next();
  comparer_->compareWaiting();
}

bool RunController::isAdjusting(int runId) const { return adjuster_->isAdjusting(runId); }

int RunController::pending() const { return counted_->pending(); }

}  // namespace sulcus::ui::model
