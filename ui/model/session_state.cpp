// States of a session: of the workspace and back.
#include "ui/model/session_state.h"

#include "ui/model/compared_layers.h"
#include "ui/model/workspace.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::model {
namespace {

bool sameLayer(LayerState a, const LayerState& b) {
  a.unsaved = b.unsaved;
  return a == b;
}

bool sameRun(RunsState::Placed a, const RunsState::Placed& b) {
  a.run.stored = b.run.stored;  // making a run again adds to it and changes nothing
  if (a.run.stored) a.run.result = b.run.result;
  a.run.job = b.run.job;
  return a == b;
}

}  // namespace

std::map<std::string, AnalysisPresenter::Choices> choicesOf(const SessionState& state) {
  const auto lookedAt = [&](const RunsState::Placed& placed) {
    return std::ranges::find(placed.run.layers, state.current) != placed.run.layers.end();
  };
  const bool one = std::ranges::any_of(state.runs.runs, lookedAt);
  auto choices = state.choices;
  for (const RunsState::Placed& placed : state.runs.runs) {
    const auto form = choices.find(placed.run.analysis->name);
    if (form == choices.end() || (one && !lookedAt(placed))) continue;
    for (const OptionInfo& option : placed.run.analysis->options) {
      const auto shown = form->second.options.find(option.name);
      if (option.afterwards && shown != form->second.options.end() &&
          shown->second == placed.run.options.at(option.name))
        form->second.options.erase(shown);
    }
  }
  return choices;
}

bool sameWork(const SessionState& a, const SessionState& b) {
  return std::ranges::equal(a.layers, b.layers, sameLayer) && choicesOf(a) == choicesOf(b) &&
         std::ranges::equal(a.runs.runs, b.runs.runs, sameRun);
}

void shiftIds(SessionState& state, LayerId layers, int runs) {
  const auto shift = [layers](LayerId& id) { id += id > 0 ? layers : 0; };
  const auto shiftAll = [&](auto& bySlot) {
    for (auto& [slot, id] : bySlot) shift(id);
  };
  for (LayerState& layer : state.layers) shift(layer.id), shift(layer.opacityBy);
  for (LayerId* id : {&state.current, &state.view.pairLower, &state.view.pairUpper}) shift(*id);
  for (auto& [name, choices] : state.choices) shiftAll(choices.inputs);
  for (auto& placed : state.runs.runs) {
    placed.run.id += runs;
    placed.run.together += placed.run.together > 0 ? runs : 0;
    shiftAll(placed.run.inputIds);
    for (LayerId& id : placed.run.layers) shift(id);
    for (auto& shown : placed.shown) shift(shown.id);
  }
  if (!state.runs.compared) return;
  auto compared = std::make_shared<ComparedRuns>(*state.runs.compared);
  for (RunPtr* run : {&compared->a, &compared->b}) {
    auto shifted = std::make_shared<Run>(**run);
    if (isLayerSide(**run))
      for (LayerId& id : shifted->layers) shift(id);
    else
      shifted->id += runs;
    *run = std::move(shifted);
  }
  shift(compared->difference), shift(compared->before);
  state.runs.compared = std::move(compared);
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
  view.crosshair = view_.crosshair(), view.centre = view_.centre(), view.extent = view_.extent();
  view.turn = view_.turn(), view.radiological = view_.radiological();
  view.crosshairVisible = view_.crosshairVisible(), view.lettersVisible = view_.lettersVisible();
  view.scaleBarVisible = view_.scaleBarVisible();
  view.pairMode = imagePair_.mode(), view.pairLower = imagePair_.lower(), view.pairUpper = imagePair_.upper();
  view.pairShare = imagePair_.share(), view.pairTile = imagePair_.tile();
  view.pairRate = imagePair_.rate();
  view.plot = plots_.current().toStdString();
  if (look_) view.window = look_();
  return state;
}

void Workspace::restore(const SessionState& state) {
  framed_ = true;  // the state says where to look
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
  restore(state);
  inputPreview_.settle(runs_.runs());
  if (AnalysisPresenter* presenter = this->presenter(QString::fromStdString(state.analysis)))
    setCurrent(presenter);
  const SessionView& view = state.view;
  view_.setRadiological(view.radiological);
  view_.setCrosshairVisible(view.crosshairVisible);
  view_.setLettersVisible(view.lettersVisible);
  view_.setScaleBarVisible(view.scaleBarVisible);
  view_.setCentre(view.centre);
  view_.setExtent(view.extent);
  view_.setCrosshair(view.crosshair);
  view_.setTurn(view.turn);
  imagePair_.setMode(ImagePair::Mode::off);
  imagePair_.suggest(view.pairLower, view.pairUpper);
  imagePair_.setShare(view.pairShare);
  imagePair_.setTile(view.pairTile);
  imagePair_.setRate(view.pairRate);
  imagePair_.setMode(view.pairMode);
  plots_.setCurrent(QString::fromStdString(view.plot));
  emit looked(view.window);
}

}  // namespace sulcus::ui::model
