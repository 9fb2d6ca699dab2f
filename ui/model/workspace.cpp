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

/// Volumes of an image, or of peaks and their function; 1 for anything else.
int volumeCountOf(const Layer& layer) {
  if (const auto* image = std::get_if<VolumeLayer>(&layer.content)) return image->series->count;
  const auto* peaks = std::get_if<PeaksLayer>(&layer.content);
  if (!peaks) return 1;
  return std::max({1, peaks->peaks->count, peaks->tensor ? peaks->tensor->count : 0});
}

}  // namespace

Workspace::Workspace(const std::vector<Analysis>& analyses, std::function<DeviceReport()> devices,
                     QSettings& settings, const ChooseGpu& chooseGpu)
    : analyses_(analyses),
      settings_(settings),
      preferences_(loadPreferences(settings)),
      imageOverlay_(layers_),
      player_(layers_),
      recent_(settings),
      recentSessions_(settings, QStringLiteral("recentSessions")),
      computing_(jobs::qtPost(&jobs_)),
      remote_(jobs::qtPost(&jobs_)),
      files_(jobs::qtPost(&jobs_)),
      quick_(jobs::qtPost(&jobs_)),
      tables_(jobs::qtPost(&jobs_)),
      lines_(jobs::qtPost(&jobs_)),
      runs_(layers_, jobs_, {computing_, remote_, quick_, chooseGpu.place}),
      fileJobs_(layers_, jobs_, recent_, files_),
      processors_(*this, std::move(devices), chooseGpu, computing_, remote_),
      derived_({analyses_, layers_, imageOverlay_, player_, fileJobs_, quick_}),
      plots_(layers_, runs_, view_, quick_),
      clusters_(layers_, tables_),
      findings_(layers_, analyses_, tables_),
      labelLists_(layers_, quick_),
      regions_(layers_, view_),
      regionPlot_(layers_, regions_, plots_),
      dissection_(layers_, view_, lines_),
      bookmarks_(layers_, view_),
      study_(analyses_, layers_, view_, fileJobs_),
      inputPreview_(layers_, runs_, quick_),
      warpPreview_(layers_, quick_) {
  for (const Analysis& analysis : analyses_) {
    presenters_.push_back(std::make_unique<AnalysisPresenter>(analysis, layers_));
    rememberParameters(*presenters_.back(), settings_, preferences_.keepParameters);
  }
  const auto grows = std::ranges::find_if(
      presenters_, [](const auto& presenter) { return bool(presenter->analysis().growth.begin); });
  growing_ =
      std::make_unique<GrowingLines>(layers_, grows == presenters_.end() ? nullptr : grows->get(), lines_);
  leftOutVolumes_ = std::make_unique<LeftOutVolumes>(layers_, presenters_);
  // A run uses all processors that the window does not need.
  computing_.submit([](const Progress&) { return yieldThread(), true; }, [](bool) {});
  connectModels();
  if (!presenters_.empty()) raise(presenters_.front().get());
  session_ = std::make_unique<Session>(*this, files_);
  applyPreferences();
  // The menu also changes some of them.
  connect(&view_, &ViewState::decorationChanged, this, [this] {
    if (applyingPreferences_) return;
    Preferences now = preferences_;
    now.radiological = view_.radiological();
    now.rightButton = view_.mouseScheme();
    setPreferences(now);
  });
}

Workspace::~Workspace() = default;

void Workspace::connectModels() {
  for (const auto& presenter : presenters_)
    liveRuns_.push_back(std::make_unique<LiveRun>(*presenter, runs_, jobs_, view_));
  connect(&layers_, &LayerStack::added, this, &Workspace::layerAdded);
  connect(&layers_, &LayerStack::removed, this, [this] {
    if (!layers_.empty()) return;
    framed_ = kept_ = false;
    inputPreview_.hold();
  });
  for (const auto& presenter : presenters_)
    connect(presenter.get(), &AnalysisPresenter::adjustableChanged, &runs_,
            [this, &analysis = presenter->analysis()](const OptionValues& changed) {
              runs_.adjust(analysis, changed);
            });
  for (const auto& presenter : presenters_)
    connect(presenter.get(), &AnalysisPresenter::readinessChanged, this, [this] {
      if (std::exchange(raising_, true)) return;
      QMetaObject::invokeMethod(this, &Workspace::raiseFitting,
                                Qt::QueuedConnection);  // after all receivers were notified
    });
  connect(&layers_, &LayerStack::currentChanged, this, &Workspace::showValuesOfRun);
  connect(&runs_, &RunController::failed, this, &Workspace::failed);
  connect(leftOutVolumes_.get(), &LeftOutVolumes::failed, this, &Workspace::failed);
  connect(&runs_, &RunController::finished, &processors_, &Processors::ask);
  connect(&runs_, &RunController::finished, this, [this](const RunPtr& run) { suggestPair(*run); });
  connect(&study_, &StudyModel::opened, this, [this] { recent_.add(study_.folder()); });
  connect(&fileJobs_, &jobs::FileJobs::failed, this, &Workspace::failed);
  connect(&fileJobs_, &jobs::FileJobs::foundBeside, this, &Workspace::takeBeside);
  connect(&fileJobs_, &jobs::FileJobs::idle, this, [this] {
    if (!std::exchange(arrived_, false)) return;
    groupResults();
    if (std::exchange(ofExample_, false)) {
      kept_ = false;
      raiseFitting();
    }
    emit layersArrived();
  });
}

void Workspace::showValuesOfRun(LayerId layer) {
  const RunPtr run = runs_.runOf(layer);
  if (!run || runs_.isAdjusting(run->id)) return;  // in that case the form is ahead of the run
  OptionValues values;
  for (const OptionInfo& option : run->analysis->options)
    if (option.adjustable) values[option.name] = run->options.at(option.name);
  presenter(QString::fromStdString(run->analysis->name))->setOptions(values);
}

void Workspace::setPreferences(const Preferences& preferences) {
  if (preferences == preferences_) return;
  const bool otherGpu = preferences.gpu != preferences_.gpu || preferences.place != preferences_.place;
  preferences_ = preferences;
  savePreferences(settings_, preferences_);
  applyPreferences();
  if (otherGpu) processors_.ask();
  emit preferencesChanged();
}

void Workspace::applyPreferences() {
  const QScopedValueRollback applying(applyingPreferences_, true);
  view_.setRadiological(preferences_.radiological);
  view_.setMouseScheme(preferences_.rightButton);
  layers_.setScanColors(preferences_.scanColors);
  runs_.setThreads(preferences_.threads);
  for (const auto& presenter : presenters_) {
    presenter->setMemoryLimit(preferences_.memory * 1e9);
    presenter->setGpuHost(QString::fromStdString(preferences_.place));
  }
  session_->setAutosaveInterval(1000 * preferences_.autosave);
}

AnalysisPresenter* Workspace::presenter(const QString& analysis) const {
  const auto found = std::find_if(presenters_.begin(), presenters_.end(), [&](const auto& presenter) {
    return QString::fromStdString(presenter->analysis().name) == analysis;
  });
  return found == presenters_.end() ? nullptr : found->get();
}

void Workspace::setCurrent(AnalysisPresenter* presenter) {
  raise(presenter);
  keepCurrent();
}

void Workspace::keepCurrent() {
  kept_ = true;
  ofExample_ = false;
  inputPreview_.ask();
}

void Workspace::raise(AnalysisPresenter* presenter) {
  if (presenter == current_) return;
  current_ = presenter;
  plots_.setPresenter(presenter);
  inputPreview_.setPresenter(presenter);
  emit currentChanged();
}

int Workspace::volumesUsed(const AnalysisPresenter& presenter) const {
  std::set<LayerId> used;
  for (const auto& [slot, id] : presenter.inputIds()) used.insert(id);
  int volumes = 0;
  for (const LayerState& state : layers_.layers())
    if (state.origin == Origin::given && used.contains(state.id)) volumes += volumeCountOf(*state.layer);
  return volumes;
}

void Workspace::raiseFitting() {
  raising_ = false;
  if (kept_ || layers_.empty()) return;
  // The one that uses most of what was opened, such as Group for maps and a table of people.
  AnalysisPresenter* best = nullptr;
  int most = -1;
  for (const auto& presenter : presenters_) {
    if (!presenter->whyNot(RunChoice::cpu).isEmpty()) continue;
    const int volumes = volumesUsed(*presenter);
    if (volumes <= most) continue;
    best = presenter.get();
    most = volumes;
  }
  if (!best || best == current_) return;
  raise(best);
  inputPreview_.hold();  // the requested picture stays
}

void Workspace::loadDemo(const QString& name) {
  AnalysisPresenter* wanted = presenter(name);
  if (!wanted || !wanted->analysis().demo) return;
  const Analysis& analysis = wanted->analysis();
  const JobId job = jobs_.add(tr("Demo: %1").arg(words(analysis.demoTitle)), {});
  auto deliver = [this, name, wanted](const AnalysisInputs& inputs) {
    const auto& slotList = wanted->analysis().inputs;
    // The layers of the first slot are added last, so that they are on top; only the first is visible.
    framed_ = false;
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
      wanted->setInputs(slot->name, ids);
    }
    if (seen != 0) layers_.setCurrent(seen);
    wanted->takeExampleParameters(wanted->analysis().demoParameters);
    setCurrent(wanted);
    emit demoLoaded(name);
  };
  auto report = [this, job](const JobReport& what) {
    const QString fault = localizeForWindow(what.error);
    jobs_.report(job, {what.state, what.fraction, what.stage, fault.toStdString()});
    if (what.state == JobState::failed) emit failed(tr("Demo"), fault);
  };
  jobs_.setTicket(
      job, computing_.submit(
               [&analysis](const Progress&) { return analysis.demo(defaultsOf(analysis.demoOptions)); },
               std::move(deliver), std::move(report)));
}

void Workspace::keepForExample() {
  keepCurrent();
  ofExample_ = true;
}

bool Workspace::canRun(RunChoice choice) const { return current_ && current_->whyNot(choice).isEmpty(); }

bool Workspace::run(RunChoice choice) {
  if (!canRun(choice)) return false;
  keepCurrent();
  runs_.start(*current_, choice);
  return true;
}

void Workspace::openForInput(AnalysisPresenter& presenter, const std::string& slot,
                             const QStringList& paths) {
  keepCurrent();
  fileJobs_.open(paths, [this, &presenter, slot](LayerId id) { takeInput(presenter, slot, id); });
}

void Workspace::takeInput(AnalysisPresenter& presenter, const std::string& slot, LayerId id) {
  presenter.addInput(slot, id);
  const auto taken = presenter.inputsOf(slot);
  if (std::find(taken.begin(), taken.end(), id) != taken.end()) return;
  const auto& slotList = presenter.analysis().inputs;
  const auto wanted =
      std::find_if(slotList.begin(), slotList.end(), [&](const InputSlot& s) { return s.name == slot; });
  const LayerState* state = layers_.find(id);
  if (wanted == slotList.end() || !state) return;
  const Error fault("'" + state->name.toStdString() + "' was opened and not taken for '" +
                        words(wanted->label).toStdString() + "'",
                    "it is of the kind '" + kindText(*state->layer).toStdString() + "'",
                    "choose another file: " + wanted->help);
  emit failed(tr("Open"), localizeForWindow(fault.what()));
}

void Workspace::takeBeside(LayerId table, const QString& role, LayerId scan) {
  // The table goes into an empty slot of that name wherever the scan is an input. Events are not used along
  // with a design, which contains the same information.
  for (const auto& presenter : presenters_) {
    const auto& slotList = presenter->analysis().inputs;
    const auto isThere = [&](const char* name) { return presenter->input(name) != 0; };
    // A table next to a scan belongs to it: it replaces one that the user has not chosen.
    const bool hasSlot = std::any_of(slotList.begin(), slotList.end(),
                                     [&](const InputSlot& slot) { return slot.name == role.toStdString(); });
    if (hasSlot && !isThere("design") && !isThere("events")) presenter->takeInstead(scan);
    const bool takesScan = std::any_of(slotList.begin(), slotList.end(), [&](const InputSlot& slot) {
      const auto ids = presenter->inputsOf(slot.name);
      return std::find(ids.begin(), ids.end(), scan) != ids.end();
    });
    const bool wanted = role == QStringLiteral("design") ||
                        (role == QStringLiteral("events") && presenter->input("design") == 0);
    if (takesScan && wanted && presenter->input(role.toStdString()) == 0)
      presenter->setInput(role.toStdString(), table);
  }
}

void Workspace::layerAdded(LayerId id) {
  const LayerState& state = *layers_.find(id);
  const Layer& layer = *state.layer;
  // Of layers opened together, the largest is shown in full, whichever comes first.
  const bool given = state.origin == Origin::given;
  const bool larger = given && extentOf(layer) > view_.extent();
  arrived_ = arrived_ || given;
  if (given && session_ && !session_->isRestoring()) freshLayers_.insert(id);
  if (framed_ && !(larger && view_.crosshair() == framedAt_)) return;
  if (!frameOn(layer, view_)) return;
  framedAt_ = view_.crosshair();
  if (!std::exchange(framed_, true)) emit firstLayerFramed();
}

void Workspace::groupResults() {
  const std::vector<OpenedResult> before = std::exchange(results_, openedResults(layers_, analyses_));
  const LayerStack::BatchUpdate together(layers_);
  for (const auto& [folder, ids] : results_) {
    emit resultOpened(ids);
    const bool isKnown = std::ranges::find(before, folder, &OpenedResult::folder) != before.end();
    const auto isFresh = [this](LayerId id) { return freshLayers_.contains(id); };
    if (isKnown || !std::ranges::all_of(ids, isFresh)) continue;
    for (const LayerId id : ids) layers_.setVisible(id, id == ids.front());
    layers_.setCurrent(ids.front());
  }
  freshLayers_.clear();
}

void Workspace::openRun(const QString& folder) {
  std::map<std::string, const Analysis*> known;
  for (const auto& presenter : presenters_) known[presenter->analysis().name] = &presenter->analysis();
  const auto analysisOf = [known](const std::string& name) {
    const auto found = known.find(name);
    return found == known.end() ? nullptr : found->second;
  };
  fileJobs_.openRun(folder, analysisOf, [this](const jobs::SavedRun& saved) { showSaved(saved); });
}

void Workspace::showSaved(const jobs::SavedRun& saved) {
  const QString title = tr("Open run"), name = QString::fromStdString(saved.provenance.analysis);
  AnalysisPresenter* const made = presenter(name);
  if (!made) {
    emit failed(title,
                tr("There is no analysis '%1' (the run was made with it): choose another run").arg(name));
    return;
  }
  OptionValues options = saved.provenance.parameters;
  const auto& known = made->options();
  std::erase_if(options, [&](const auto& one) { return one.first == "seed" && !known.contains("seed"); });
  const OptionValues defaults = defaultsOf(made->analysis().options);
  options.insert(defaults.begin(), defaults.end());
  try {
    AnalysisPresenter::Choices choices = made->choices();
    choices.options = made->optionsWith(options);
    made->restore(choices);  // for a later run: existing ones keep their values
  } catch (const Error& fault) {
    emit failed(title, localizeForWindow(made->analysis(), fault.what()));
    return;
  }
  std::map<std::string, std::vector<LayerId>> inputs;
  for (const auto& [slot, opened] : saved.inputs) {
    auto layer = std::make_shared<Layer>(opened);
    layer->display.visible = slot != "truth";
    inputs[slot].push_back(layers_.add(std::move(layer)));
  }
  setCurrent(made);
  for (const InputSlot& slot : made->analysis().inputs)
    if (!inputs.contains(slot.name)) made->setInputs(slot.name, {});
  for (const auto& [slot, ids] : inputs) made->setInputs(slot, ids);
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
  const auto last = std::find_if(all.rbegin(), all.rend(), [this](const RunPtr& one) {
    return current_ && one->analysis == &current_->analysis();
  });
  return last == all.rend() ? nullptr : *last;
}

QString Workspace::lossOf(const std::vector<LayerId>& layers) const {
  constexpr int kMostNamed = 4;
  QStringList unsaved;
  for (const LayerState& state : layers_.layers() | std::views::reverse)  // in the order of the list
    if (state.unsaved && std::ranges::find(layers, state.id) != layers.end())
      unsaved << nameForEye(layers_, state.name);
  QStringList lost;
  if (const int more = int(unsaved.size()) - kMostNamed; more > 0)
    unsaved = unsaved.mid(0, kMostNamed) << tr("%1 more").arg(more);
  if (!unsaved.isEmpty()) lost << tr("Not saved: %1.").arg(unsaved.join(QStringLiteral(", ")));
  if (const int runs = runs_.runsOn(layers); runs == 1)
    lost << tr("A run has not finished and will be canceled.");
  else if (runs > 1)
    lost << tr("%1 runs have not finished and will be canceled.").arg(runs);
  return lost.join(QLatin1Char('\n'));
}

bool Workspace::frameCurrent() {
  const LayerState* state = layers_.find(layers_.current());
  return state && frameOn(*state->layer, view_);
}

void Workspace::frameAny() {
  if (frameOnVisible(layers_.layers(), view_) || frameCurrent()) return;
  for (const LayerState& state : layers_.layers())
    if (frameOn(*state.layer, view_)) return;
}

const Grid* Workspace::imageGrid(LayerId id) const {
  const LayerState* state = layers_.find(id);
  return state && std::holds_alternative<VolumeLayer>(state->layer->content) ? gridOf(*state->layer)
                                                                             : nullptr;
}

void Workspace::suggestPair(const Run& run) {
  // A result and the input it was registered to are the default pair for an image overlay.
  const auto shown = std::find_if(run.layers.begin(), run.layers.end(), [&](LayerId id) {
    return imageGrid(id) && layers_.find(id)->display.visible;
  });
  if (shown == run.layers.end()) return;
  // Of several images the first is the input; the last determines the grid of the result.
  LayerId below = 0;
  for (const InputSlot& slot : run.analysis->inputs) {
    const auto given = run.inputIds.find(slot.name);
    const bool isChosenFrom = !slot.oneOf.empty();  // of several that stand for one another
    if (!(slot.required || isChosenFrom) || given == run.inputIds.end()) continue;
    const Grid* grid = imageGrid(given->second);
    if (grid && sameGrid(*grid, *imageGrid(*shown))) below = given->second;
  }
  if (below != 0) imageOverlay_.suggest(below, *shown);
}

SessionState Workspace::state() const {
  SessionState state;
  const std::vector<LayerId> previews = runs_.previews();
  const std::map<LayerId, LayerPtr> before = runs_.beforePreviews();
  for (const LayerState& layer : layers_.layers()) {
    if (layer.origin == Origin::temporary || std::ranges::find(previews, layer.id) != previews.end())
      continue;
    state.layers.push_back(layer);
    if (const auto was = before.find(layer.id); was != before.end()) state.layers.back().layer = was->second;
  }
  state.current = layers_.current();
  for (const auto& presenter : presenters_) state.choices[presenter->analysis().name] = presenter->choices();
  if (current_) state.analysis = current_->analysis().name;
  state.runs = runs_.state();
  SessionView& view = state.view;
  view.crosshair = view_.crosshair();
  view.center = view_.center();
  view.extent = view_.extent();
  view.turn = view_.turn();
  view.radiological = view_.radiological();
  view.crosshairVisible = view_.crosshairVisible();
  view.lettersVisible = view_.lettersVisible();
  view.scaleBarVisible = view_.scaleBarVisible();
  view.pairMode = imageOverlay_.mode();
  view.pairLower = imageOverlay_.lower();
  view.pairUpper = imageOverlay_.upper();
  view.pairShare = imageOverlay_.share();
  view.pairTile = imageOverlay_.tile();
  view.pairRate = imageOverlay_.rate();
  view.plot = plots_.current().toStdString();
  if (look_) view.window = look_();
  return state;
}

void Workspace::restore(const SessionState& state) {
  framed_ = true;  // the state determines the view position
  std::vector<LayerState> layers = state.layers;
  const std::vector<LayerId> previews = runs_.previews();
  for (const LayerState& layer : layers_.layers())
    if (layer.origin == Origin::temporary || std::ranges::find(previews, layer.id) != previews.end())
      layers.push_back(layer);
  layers_.restore(layers, state.current);
  runs_.restore(state.runs);
  for (const auto& presenter : presenters_)
    if (const auto choices = state.choices.find(presenter->analysis().name); choices != state.choices.end())
      presenter->restore(choices->second);
  framed_ = !layers_.empty();
}

void Workspace::open(const SessionState& state) {
  layers_.clear();
  // A file must not choose which machine to contact: only those that the user has named are allowed.
  SessionState known = state;
  const QStringList places = remoteHostsIn(preferences_.places);
  for (auto& placed : known.runs.runs)
    if (!places.contains(placed.run.place)) placed.run.place.clear();
  restore(known);
  inputPreview_.settle(runs_.runs());
  if (AnalysisPresenter* presenter = this->presenter(QString::fromStdString(state.analysis)))
    setCurrent(presenter);
  const SessionView& view = state.view;
  view_.setRadiological(view.radiological);
  view_.setCrosshairVisible(view.crosshairVisible);
  view_.setLettersVisible(view.lettersVisible);
  view_.setScaleBarVisible(view.scaleBarVisible);
  view_.setCenter(view.center);
  view_.setExtent(view.extent);
  view_.setCrosshair(view.crosshair);
  view_.setTurn(view.turn);
  imageOverlay_.setMode(ImageOverlay::Mode::off);
  imageOverlay_.suggest(view.pairLower, view.pairUpper);
  imageOverlay_.setShare(view.pairShare);
  imageOverlay_.setTile(view.pairTile);
  imageOverlay_.setRate(view.pairRate);
  imageOverlay_.setMode(view.pairMode);
  plots_.setCurrent(QString::fromStdString(view.plot));
  emit looked(view.window);
}

}  // namespace sulcus::ui::model
