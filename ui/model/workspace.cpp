#include "ui/model/workspace.h"

#include "core/base/error.h"
#include "core/base/platform/processes/thread_priority.h"
#include "ui/jobs/qt_post.h"
#include "ui/model/choices/remote_hosts.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/layers/readout.h"
#include "ui/model/session/remembered_parameters.h"
#include "ui/model/text/localize.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// The grid of a layer that is an image; null for other layers and for those that are gone.
const Grid* imageGrid(const LayerStack& layers, LayerId id) {
  const LayerState* state = layers.find(id);
  return state && std::holds_alternative<VolumeLayer>(state->layer->content) ? gridOf(*state->layer)
                                                                             : nullptr;
}

/// A result and the input it was registered to are the default pair for an image overlay.
void suggestPair(const LayerStack& layers, const Run& run, ImageOverlay& overlay) {
  const auto shown = std::ranges::find_if(
      run.layers, [&](LayerId id) { return imageGrid(layers, id) && layers.find(id)->display.visible; });
  if (shown == run.layers.end()) return;
  // Of several images the first is the input; the last determines the grid of the result.
  LayerId below = 0;
  for (const InputSlot& slot : run.analysis->inputs) {
    const auto given = run.inputIds.find(slot.name);
    const bool isChosenFrom = !slot.oneOf.empty();  // of several that stand for one another
    if (!(slot.required || isChosenFrom) || given == run.inputIds.end()) continue;
    const Grid* grid = imageGrid(layers, given->second);
    if (grid && sameGrid(*grid, *imageGrid(layers, *shown))) below = given->second;
  }
  if (below != 0) overlay.suggest(below, *shown);
}

}  // namespace

Workspace::Workspace(const std::vector<Analysis>& analyses, std::function<DeviceReport()> devices,
                     QSettings& settings, const ChooseGpu& chooseGpu)
    : analyses_(analyses),
      preferences_(settings),
      imageOverlay_(layers_),
      player_(layers_),
      recent_(settings),
      presenters_(analyses, layers_),
      computing_(jobs::qtPost(&jobs_)),
      remote_(jobs::qtPost(&jobs_)),
      files_(jobs::qtPost(&jobs_)),
      quick_(jobs::qtPost(&jobs_)),
      tables_(jobs::qtPost(&jobs_)),
      lines_(jobs::qtPost(&jobs_)),
      runs_(layers_, jobs_, {computing_, remote_, quick_, chooseGpu.place}),
      fileJobs_(layers_, jobs_, recent_, files_),
      processors_(*this, std::move(devices), chooseGpu, computing_, remote_),
      evaluation_({analyses_, layers_, imageOverlay_, player_, fileJobs_, quick_}, runs_, view_, tables_),
      editing_(layers_, view_, evaluation_.plots, presenters_, lines_),
      bookmarks_(layers_, view_),
      study_(analyses_, layers_, view_, fileJobs_),
      inputPreview_(layers_, runs_, quick_),
      framing_(layers_, view_),
      snapshots_(*this) {
  for (const auto& presenter : presenters_.all())
    rememberParameters(*presenter, settings, preferences_.values().keepParameters);
  // A run uses all processors that the window does not need.
  computing_.submit([](const Progress&) { return yieldThread(), true; }, [](bool) {});
  connectModels();
  session_ = std::make_unique<Session>(*this, files_, settings);
  arrivedLayers_ = std::make_unique<ArrivedLayers>(analyses_, layers_, fileJobs_, *session_);
  connect(arrivedLayers_.get(), &ArrivedLayers::arrived, &presenters_, &Presenters::endExample);
  applyPreferences();
  connect(&preferences_, &PreferenceStore::changed, this, [this](const Preferences& before) {
    applyPreferences();
    const Preferences& now = preferences_.values();
    if (now.gpu != before.gpu || now.place != before.place) processors_.ask();
  });
  // The menu also changes some of them.
  connect(&view_, &ViewState::decorationChanged, this, [this] {
    if (applyingPreferences_) return;
    Preferences now = preferences_.values();
    now.radiological = view_.radiological();
    now.rightButton = view_.mouseScheme();
    preferences_.set(now);
  });
}

Workspace::~Workspace() = default;

void Workspace::connectModels() {
  for (const auto& presenter : presenters_.all()) {
    liveRuns_.push_back(std::make_unique<LiveRun>(*presenter, runs_, jobs_, view_));
    connect(presenter.get(), &AnalysisPresenter::adjustableChanged, &runs_,
            [this, &analysis = presenter->analysis()](const OptionValues& changed) {
              runs_.adjust(analysis, changed);
            });
  }
  const auto showInputs = [this] {
    evaluation_.plots.setPresenter(presenters_.current());
    inputPreview_.setPresenter(presenters_.current());
  };
  showInputs();
  connect(&presenters_, &Presenters::currentChanged, this, showInputs);
  connect(&presenters_, &Presenters::chosen, &inputPreview_, &InputPreview::ask);
  connect(&presenters_, &Presenters::suggested, &inputPreview_, &InputPreview::hold);
  connect(&layers_, &LayerStack::currentChanged, this, &Workspace::showValuesOfRun);
  connect(&runs_, &RunController::failed, this, &Workspace::failed);
  connect(&editing_.leftOutVolumes, &LeftOutVolumes::failed, this, &Workspace::failed);
  connect(&runs_, &RunController::finished, &processors_, &Processors::ask);
  connect(&runs_, &RunController::finished, this,
          [this](const RunPtr& run) { suggestPair(layers_, *run, imageOverlay_); });
  connect(&study_, &StudyModel::opened, this, [this] { recent_.add(study_.folder()); });
  connect(&fileJobs_, &jobs::FileJobs::failed, this, &Workspace::failed);
  connect(&fileJobs_, &jobs::FileJobs::foundBeside, &presenters_, &Presenters::takeBeside);
}

void Workspace::showValuesOfRun(LayerId layer) {
  const RunPtr run = runs_.runOf(layer);
  if (!run || runs_.isAdjusting(run->id)) return;  // in that case the form is ahead of the run
  OptionValues values;
  for (const OptionInfo& option : run->analysis->options)
    if (option.adjustable) values[option.name] = run->options.at(option.name);
  presenters_.named(QString::fromStdString(run->analysis->name))->options().set(values);
}

void Workspace::applyPreferences() {
  const QScopedValueRollback applying(applyingPreferences_, true);
  const Preferences& preferences = preferences_.values();
  view_.setRadiological(preferences.radiological);
  view_.setMouseScheme(preferences.rightButton);
  layers_.setScanColors(preferences.scanColors);
  runs_.setThreads(preferences.threads);
  for (const auto& presenter : presenters_.all()) {
    presenter->setMemoryLimit(preferences.memory * 1e9);
    presenter->setGpuHost(QString::fromStdString(preferences.place));
  }
  session_->setAutosaveInterval(1000 * preferences.autosave);
}

void Workspace::loadDemo(const QString& name) {
  AnalysisPresenter* wanted = presenters_.named(name);
  if (!wanted || !wanted->analysis().demo) return;
  const Analysis& analysis = wanted->analysis();
  const JobId job = jobs_.add(tr("Demo: %1").arg(words(analysis.demoTitle)), {});
  auto deliver = [this, name, wanted](const AnalysisInputs& inputs) {
    const auto& slotList = wanted->analysis().inputs;
    // The layers of the first slot are added last, so that they are on top; only the first is visible.
    framing_.setFramed(false);
    LayerId seen = 0;
    for (auto slot = slotList.rbegin(); slot != slotList.rend(); ++slot) {
      std::vector<LayerId> ids;
      const auto [begin, end] = inputs.equal_range(slot->name);
      for (auto input = begin; input != end; ++input) {
        ids.push_back(layers_.add(input->second));
        layers_.rename(ids.back(), layerTitle(input->second->name));
        const bool isSeen = slot + 1 == slotList.rend() && ids.size() == 1;
        layers_.setVisible(ids.back(), isSeen);
        if (isSeen) seen = ids.back();
      }
      wanted->inputs().choose(slot->name, ids);
    }
    if (seen != 0) layers_.setCurrent(seen);
    wanted->takeExampleParameters(wanted->analysis().demoParameters);
    presenters_.choose(wanted);
    emit demoLoaded(name);
  };
  auto report = [this, job](const JobReport& what) {
    jobs_.report(job, what);
    if (what.state == JobState::failed) emit failed(tr("Demo"), localizeForWindow(what.error));
  };
  jobs_.setTicket(
      job, computing_.submit(
               [&analysis](const Progress&) { return analysis.demo(defaultsOf(analysis.demoOptions)); },
               std::move(deliver), std::move(report)));
}

bool Workspace::canRun(RunChoice choice) const {
  const AnalysisPresenter* current = presenters_.current();
  return current && current->whyNot(choice).isEmpty();
}

bool Workspace::run(RunChoice choice) {
  if (!canRun(choice)) return false;
  presenters_.keepCurrent();
  runs_.start(*presenters_.current(), choice);
  return true;
}

void Workspace::openForInput(AnalysisPresenter& presenter, const std::string& slot,
                             const QStringList& paths) {
  presenters_.keepCurrent();
  fileJobs_.open(paths, [this, &presenter, slot](LayerId id) { takeInput(presenter, slot, id); });
}

void Workspace::takeInput(AnalysisPresenter& presenter, const std::string& slot, LayerId id) {
  InputChoice& inputs = presenter.inputs();
  inputs.add(slot, id);
  const std::vector<LayerId> taken = inputs.of(slot);
  const InputSlot* wanted = inputs.slotNamed(slot);
  const LayerState* state = layers_.find(id);
  if (std::ranges::find(taken, id) != taken.end() || !wanted || !state) return;
  const Error fault("'" + state->name.toStdString() + "' was opened and not taken for '" +
                        words(wanted->label).toStdString() + "'",
                    "it is of the kind '" + kindText(*state->layer).toStdString() + "'",
                    "choose another file: " + wanted->help);
  emit failed(tr("Open"), localizeForWindow(messageOf(fault)));
}

void Workspace::openRun(const QString& folder) {
  const auto analysisOf = [&analyses = analyses_](const std::string& name) -> const Analysis* {
    const auto found = std::ranges::find(analyses, name, &Analysis::name);
    return found == analyses.end() ? nullptr : &*found;
  };
  fileJobs_.openRun(folder, analysisOf, [this](const jobs::SavedRun& saved) { showSaved(saved); });
}

void Workspace::showSaved(const jobs::SavedRun& saved) {
  const QString title = tr("Open run"), name = QString::fromStdString(saved.provenance.analysis);
  AnalysisPresenter* const made = presenters_.named(name);
  if (!made) {
    emit failed(title,
                tr("There is no analysis '%1' (the run was made with it): choose another run").arg(name));
    return;
  }
  OptionValues options = saved.provenance.parameters;
  const auto& known = made->options().values();
  std::erase_if(options, [&](const auto& one) { return one.first == "seed" && !known.contains("seed"); });
  const OptionValues defaults = defaultsOf(made->analysis().options);
  options.insert(defaults.begin(), defaults.end());
  try {
    AnalysisPresenter::Choices choices = made->choices();
    choices.options = made->options().with(options);
    made->restore(choices);  // for a later run: existing ones keep their values
  } catch (const Error& fault) {
    emit failed(title, localizeForWindow(made->analysis(), fault.message()));
    return;
  }
  std::map<std::string, std::vector<LayerId>> inputs;
  for (const auto& [slot, opened] : saved.inputs) {
    auto layer = std::make_shared<Layer>(opened);
    layer->display.visible = slot != "truth";
    inputs[slot].push_back(layers_.add(std::move(layer)));
  }
  presenters_.choose(made);
  for (const InputSlot& slot : made->analysis().inputs)
    if (!inputs.contains(slot.name)) made->inputs().choose(slot.name, 0);
  for (const auto& [slot, ids] : inputs) made->inputs().choose(slot, ids);
  const bool onGpu = saved.provenance.backend == "gpu";
  if (saved.result) {
    runs_.reopen(*made, onGpu ? Backend::gpu : Backend::cpu, std::move(*saved.result), saved.gone);
    return;
  }
  const RunChoice choice = onGpu ? RunChoice::gpu : RunChoice::cpu;
  if (!run(choice)) emit failed(title, made->whyNot(choice));
}

RunPtr Workspace::currentRun() const {
  if (RunPtr made = runs_.runOf(layers_.current())) return made;
  const auto& all = runs_.runs();
  const AnalysisPresenter* current = presenters_.current();
  const auto last = std::find_if(all.rbegin(), all.rend(), [current](const RunPtr& one) {
    return current && one->analysis == &current->analysis();
  });
  return last == all.rend() ? nullptr : *last;
}

}  // namespace sulcus::ui::model
