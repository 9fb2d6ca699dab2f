#include "ui/model/run_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::ui {
namespace {

QString backendTitle(Backend backend) {
  return backend == Backend::cpu ? RunController::tr("CPU") : RunController::tr("GPU");
}

/// How a difference is drawn unless its analysis says otherwise: diverging around 0 where it has a sign, from
/// 0 where it has none, and never so finely that what lies within the tolerance looks like a difference.
void dressDifference(Comparison& comparison) {
  auto* volume = comparison.difference ? std::get_if<VolumeLayer>(&comparison.difference->content) : nullptr;
  Display& display = comparison.difference->display;
  if (!volume || display.range) return;
  const Range values = automaticRange(volume->series->values);
  const double tolerance = comparison.rows.empty() ? 0 : comparison.rows.front().tolerance;
  const double reach = std::max({std::abs(values.low), std::abs(values.high), tolerance});
  const bool isSigned = values.low < 0;
  display.range = Range{isSigned ? -reach : 0, reach};
  display.colormap = isSigned ? "cool-warm" : "inferno";
  display.colorBar = true;
  display.interpolate = false;
}

}  // namespace

/// A run that was asked for. With a partner, whichever ends second starts the comparison.
struct RunController::Order {
  struct Pair {
    std::weak_ptr<const Run> cpu, gpu;  // runs_ holds them as long as they have a layer
  };
  Run run;
  std::shared_ptr<Pair> pair;  ///< null: no comparison wanted
};

RunController::RunController(LayerStack& layers, JobListModel& jobs, JobQueue& computing, QObject* parent)
    : QObject(parent), layers_(layers), jobs_(jobs), computing_(computing) {
  connect(&layers_, &LayerStack::removed, this, &RunController::forget);
}

void RunController::forget(LayerId removed) {
  const RunPtr run = runOf(removed);
  if (!run ||
      std::any_of(run->layers.begin(), run->layers.end(), [&](LayerId id) { return layers_.find(id); }))
    return;
  std::erase(runs_, run);
  emit runsChanged();
}

void RunController::start(const AnalysisPresenter& presenter, RunChoice choice) {
  Order order;
  order.run.analysis = &presenter.analysis();
  order.run.inputs = presenter.inputs();
  order.run.inputIds = presenter.inputIds();
  order.run.options = presenter.options();
  if (choice == RunChoice::both) order.pair = std::make_shared<Order::Pair>();
  for (const Backend backend : {Backend::cpu, Backend::gpu}) {
    if (choice != RunChoice::both && (choice == RunChoice::gpu) != (backend == Backend::gpu)) continue;
    order.run.backend = backend;
    submit(std::make_shared<const Order>(order));
  }
}

void RunController::submit(std::shared_ptr<const Order> order) {
  const QString where = backendTitle(order->run.backend);
  const QString name = QString::fromStdString(order->run.analysis->title);
  Run recipe = order->run;
  recipe.inputs.clear();  // the list of jobs must not keep scans that were closed
  const JobId job = jobs_.add(name, where, [this, recipe] { again(recipe); });
  ++pending_;
  auto work = [order](const Progress& progress) {
    const Run& run = order->run;
    const auto& function = run.backend == Backend::cpu ? run.analysis->cpu : run.analysis->gpu;
    return function(run.inputs, run.options, progress, {});
  };
  auto done = [this, order, job](RunResult result) {
    const RunPtr run = deliver(*order, job, std::move(result));
    if (!run || !order->pair) return;
    (run->backend == Backend::cpu ? order->pair->cpu : order->pair->gpu) = run;
    compare(order->pair->cpu.lock(), order->pair->gpu.lock());
  };
  const QString title = tr("%1 on the %2").arg(name, where);
  auto report = [this, job, title](const JobReport& what) { over(job, title, what); };
  jobs_.setTicket(job, computing_.submit(std::move(work), std::move(done), std::move(report)));
}

void RunController::again(const Run& recipe) {
  Order order;
  order.run = recipe;
  order.run.inputs.clear();
  for (const auto& [slot, id] : recipe.inputIds) {
    const LayerState* state = layers_.find(id);
    if (!state) {
      emit failed(QString::fromStdString(recipe.analysis->title),
                  tr("It cannot be run again (the image it was given as %1 was removed): open the image and "
                     "start a new run")
                      .arg(QString::fromStdString(slot)));
      return;
    }
    order.run.inputs.emplace(slot, state->layer);
  }
  submit(std::make_shared<const Order>(std::move(order)));
}

bool RunController::inputsUnchanged(const Run& run) const {
  return std::all_of(run.inputIds.begin(), run.inputIds.end(), [&](const auto& chosen) {
    const LayerState* state = layers_.find(chosen.second);
    return state && state->layer == run.inputs.find(chosen.first)->second;
  });
}

RunPtr RunController::deliver(const Order& order, JobId job, RunResult result) {
  for (const auto& note : result.notes) jobs_.log(job, QString::fromStdString(note));
  if (!inputsUnchanged(order.run)) {
    jobs_.log(
        job,
        tr("The result was dropped (its input was removed or replaced while it was computed): run again."));
    return nullptr;
  }
  auto run = std::make_shared<Run>(order.run);
  run->id = nextRun_++;
  for (const auto& earlier : runs_)
    if (earlier->analysis == run->analysis && earlier->backend == run->backend)
      run->number = std::max(run->number, earlier->number + 1);
  run->title = backendTitle(run->backend);
  if (run->number > 1) run->title += QStringLiteral(" %1").arg(run->number);
  // What an earlier run of this analysis left on screen makes room.
  for (const auto& earlier : runs_)
    if (earlier->analysis == run->analysis)
      for (const LayerId id : earlier->layers) layers_.setVisible(id, false);
  run->layers.resize(result.layers.size());
  for (std::size_t i = result.layers.size(); i-- > 0;) {  // the first one ends on top, and current
    Layer layer = result.layers[i];
    layer.name += " (" + run->title.toStdString() + ")";
    layer.display.visible = i == 0;
    run->layers[i] = layers_.add(std::make_shared<const Layer>(std::move(layer)));
  }
  run->result = std::make_shared<const RunResult>(std::move(result));
  runs_.push_back(run);
  emit runsChanged();
  emit finished(run);
  return run;
}

void RunController::compare(RunPtr a, RunPtr b) {
  if (!a || !b || a->analysis != b->analysis || !a->analysis->compare) return;
  const QString name = tr("Compare %1 and %2").arg(a->title, b->title);
  const JobId job = jobs_.add(name, backendTitle(Backend::cpu));
  ++pending_;
  auto work = [a, b](const Progress& progress) {
    ComparedRuns compared{
        a, b, a->analysis->compare(*a->result, *b->result, progress.part(0, 0.6, "compare")), {}, {}, 0};
    if (compared.comparison.difference) dressDifference(compared.comparison);
    if (a->analysis->compareWithTruth) {
      const auto& compare = a->analysis->compareWithTruth;
      compared.truthA = compare(*a->result, a->inputs, progress.part(0.6, 0.8, "truth"));
      compared.truthB = compare(*b->result, b->inputs, progress.part(0.8, 1, "truth"));
    }
    return compared;
  };
  auto done = [this](ComparedRuns compared) {
    if (compared.comparison.difference) {
      Layer layer = *compared.comparison.difference;
      layer.name += " (" + compared.a->title.toStdString() + " − " + compared.b->title.toStdString() + ")";
      layer.display.visible = false;  // the compare layout shows it, the others need not
      const LayerId current = layers_.current();
      compared.difference = layers_.add(std::make_shared<const Layer>(std::move(layer)));
      layers_.setCurrent(current);
    }
    emit this->compared(std::make_shared<const ComparedRuns>(std::move(compared)));
  };
  auto report = [this, job, name](const JobReport& what) { over(job, name, what); };
  jobs_.setTicket(job, computing_.submit(std::move(work), std::move(done), std::move(report)));
}

void RunController::over(JobId job, const QString& name, const JobReport& report) {
  jobs_.report(job, report);
  if (report.state == JobState::queued || report.state == JobState::running) return;
  --pending_;
  if (report.state == JobState::failed) emit failed(name, QString::fromStdString(report.error));
  if (pending_ == 0) emit idle();
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

}  // namespace sulcus::ui
