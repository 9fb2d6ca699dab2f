#include "ui/model/runs/run_controller.h"

#include "core/analysis/run_times.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/display/layer_kinds.h"
#include "ui/model/runs/remote_hosts.h"
#include "ui/model/runs/run_request.h"
#include "ui/model/runs/run_titles.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// Why a result does not come, in its job's log.
QString droppedText() {
  return RunController::tr(
      "The result was dropped (its input was removed or replaced while it was computed): run again.");
}

}  // namespace

std::string backendFlag(const Run& run) {
  return run.backend == Backend::gpu && !run.place.isEmpty() ? run.place.toStdString()
                                                             : backendName(run.backend);
}

QString backendTitle(Backend backend, const QString& place) {
  if (backend == Backend::gpu && !place.isEmpty()) return remoteHostTitle(place);
  return backend == Backend::cpu ? RunController::tr("CPU") : RunController::tr("GPU");
}

RunController::RunController(LayerStack& layers, JobListModel& jobs, Workers workers, QObject* parent)
    : QObject(parent), layers_(layers), jobs_(jobs), workers_(std::move(workers)) {
  connect(&layers_, &LayerStack::removed, this, &RunController::forget);
  connect(&layers_, &LayerStack::removed, this, &RunController::stopRunsOn);
  connect(&layers_, &LayerStack::contentChanged, this, &RunController::stopRunsOn);
  connect(&layers_, &LayerStack::removed, this, &RunController::endComparisonOf);
  connect(&layers_, &LayerStack::contentChanged, this, &RunController::endComparisonOf);
}

RunController::~RunController() = default;

void RunController::forget(LayerId removed) {
  const RunPtr run = runOf(removed);
  if (!run ||
      std::any_of(run->layers.begin(), run->layers.end(), [&](LayerId id) { return layers_.find(id); }))
    return;
  placed_.erase(run->id);
  std::erase(runs_, run);
  retitle(run->analysis);
  emit runsChanged();
  endComparison(run);
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
  std::set<int> replaced;  // by what is shown of runs that go on
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

Run RunController::recipeOf(const AnalysisPresenter& presenter) const {
  Run run;
  run.analysis = &presenter.analysis();
  run.inputs = presenter.inputs();
  run.inputIds = presenter.inputIds();
  for (const auto& [slot, id] : run.inputIds) run.inputNames.emplace(slot, layers_.find(id)->name);
  run.options = presenter.options();
  return run;
}

void RunController::start(const AnalysisPresenter& presenter, RunChoice choice) {
  Request request;
  request.run = recipeOf(presenter);
  if (choice == RunChoice::both) {
    request.pair = std::make_shared<Request::Pair>();
    request.run.together = nextTogether_++;
  }
  for (const Backend backend : {Backend::cpu, Backend::gpu}) {
    if (choice != RunChoice::both && (choice == RunChoice::gpu) != (backend == Backend::gpu)) continue;
    request.run.backend = backend;
    request.run.place = backend == Backend::gpu ? presenter.gpuHost() : QString();
    request.preview = std::make_shared<Preview>();
    submit(request);
  }
}

JobId RunController::submit(Request asked) {
  const QString where = backendTitle(asked.run.backend, asked.run.place);
  const QString title = words(asked.run.analysis->title);
  const QString name = asked.slice ? tr("%1, live").arg(title) : title;
  Run recipe = asked.run;
  recipe.inputs.clear();  // the list of jobs must not keep scans that were closed
  const JobId job = asked.run.job = jobs_.add(name, where, [this, recipe] { again(recipe); });
  const auto request = std::make_shared<const Request>(std::move(asked));
  going_[job] = request;
  ++pending_;
  auto work = [request, make = backendFunction()](const Progress& progress) {
    return compute(*request, make, progress);
  };
  auto done = [this, request](Finished finished) {
    const RunPtr run = deliver(*request, std::move(finished));
    if (!run || !request->pair) return;
    (run->backend == Backend::cpu ? request->pair->cpu : request->pair->gpu) = run;
    compare(request->pair->cpu.lock(), request->pair->gpu.lock());
  };
  auto report = [this, request, job, said = tr("%1 on the %2").arg(name, where)](const JobReport& what) {
    if (what.state == JobState::running) showPreview(*request);
    if (what.state != JobState::queued && what.state != JobState::running) {
      going_.erase(job);
      chosen_.erase(job);
    }
    if (what.state == JobState::cancelled || what.state == JobState::failed) discardPreview(*request);
    over(*request->run.analysis, job, said, what);
    if (what.state == JobState::cancelled && request->slice) jobs_.remove(job);
  };
  jobs_.setTicket(job, queueOf(request->run).submit(std::move(work), std::move(done), std::move(report)));
  return job;
}

RunController::Make RunController::backendFunction() const {
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
  Request request;
  request.run = recipe;
  request.run.inputs.clear();
  for (const auto& [slot, id] : recipe.inputIds) {
    const LayerState* state = layers_.find(id);
    if (!state) {
      emit failed(words(recipe.analysis->title),
                  tr("It cannot be run again (the image it was given as %1 was removed): open the image and "
                     "start a new run")
                      .arg(localizeForWindow(*recipe.analysis, "--" + slot)));
      return;
    }
    request.run.inputs.emplace(slot, state->layer);
  }
  submit(std::move(request));
}

AnalysisInputs RunController::inputsNow(const std::multimap<std::string, LayerId>& ids) const {
  AnalysisInputs inputs;
  for (const auto& [slot, id] : ids)
    if (const LayerState* state = layers_.find(id)) inputs.emplace(slot, state->layer);
  return inputs;
}

bool RunController::inputsUnchanged(const Run& run) const { return inputsNow(run.inputIds) == run.inputs; }

void RunController::place(const Request& request) {
  Preview& preview = *request.preview;
  if (std::exchange(preview.placed, true)) return;
  std::vector<LayerId> earlier;
  for (const auto& run : runs_)
    if (run->analysis == request.run.analysis && run->id != request.replaces)
      earlier.insert(earlier.end(), run->layers.begin(), run->layers.end());
  if (!preview.place) preview.place = std::make_shared<RunLayers>(layers_, QString());
  for (const LayerId id : preview.place->ids()) preview.before[id] = layers_.find(id)->layer;
  retitle(request.run.analysis);
  emit runsChanged();
  preview.place->makeRoom(earlier);
  emit placed(request.run.analysis);
}

void RunController::discardPreview(const Request& request) {
  Preview& preview = *request.preview;
  if (!std::exchange(preview.placed, false)) return;
  if (run(request.replaces))
    preview.place->bringBack(preview.before);
  else
    preview.place->discard();
  retitle(request.run.analysis);
  emit runsChanged();  // the others may be called as before again
  emit plotsPreviewed({});
}

void RunController::showPreview(const Request& request) {
  // Each one draws the window again, which takes tens of milliseconds without a GPU.
  constexpr qint64 kMillisecondsBetween = 200;
  Preview& preview = *request.preview;
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

RunPtr RunController::deliver(const Request& request, Finished made) {
  const JobId job = request.run.job;
  jobs_.log(job, words(timesText(made.result)));
  for (const auto& note : made.result.notes) {
    jobs_.log(job, noteText(*request.run.analysis, note));
    if (note.isWarning()) jobs_.callAttention(job);
  }
  std::vector<JobListModel::Figure> figures;
  for (const bids::Figure& figure : made.figures)
    figures.push_back({QString::fromStdString(figure.name).replace(QLatin1Char('_'), QLatin1Char(' ')),
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
  placed_[id] = {run, request.preview->place, {}, {}};
  going_.erase(job);  // it is named with the finished ones from now on
  if (!replaced) runs_.push_back(run);
  emit runsChanged();
  if (!sameLayers) emit layersShown(ids);
  emit finished(run);
  if (replaced) {
    emit madeAgain(run);
    endComparison(run);
  }
  emit plotsPreviewed({});  // now: plots of one name change over without a gap
  if (const auto chosen = chosen_.extract(job)) requestAdjustment(run->id, chosen.mapped());
  nextAdjustment();
  return run;
}

void RunController::over(const Analysis& analysis, JobId job, const QString& name, JobReport report) {
  report.error = localizeForWindow(analysis, report.error).toStdString();
  jobs_.report(job, report);
  if (report.state == JobState::queued || report.state == JobState::running) return;
  --pending_;
  if (report.state == JobState::failed) emit failed(name, QString::fromStdString(report.error));
  if (pending_ == 0) emit idle();
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

}  // namespace sulcus::ui::model
