#include "ui/model/session/snapshots.h"

#include "ui/model/choices/remote_hosts.h"
#include "ui/model/workspace.h"

#include <algorithm>
#include <map>
#include <vector>

namespace sulcus::ui::model {

SessionState Snapshots::take() const {
  SessionState state;
  const RunController& runs = workspace_.runs();
  const std::vector<LayerId> previews = runs.previews();
  const std::map<LayerId, LayerPtr> before = runs.beforePreviews();
  for (const LayerState& layer : workspace_.layers().layers()) {
    if (layer.origin == Origin::temporary || std::ranges::find(previews, layer.id) != previews.end())
      continue;
    state.layers.push_back(layer);
    if (const auto was = before.find(layer.id); was != before.end()) state.layers.back().layer = was->second;
  }
  state.current = workspace_.layers().current();
  const Presenters& presenters = workspace_.presenters();
  for (const auto& presenter : presenters.all())
    state.choices[presenter->analysis().name] = presenter->choices();
  if (presenters.current()) state.analysis = presenters.current()->analysis().name;
  state.runs = runs.state();
  const ViewState& shown = workspace_.view();
  const ImageOverlay& pair = workspace_.imageOverlay();
  SessionView& view = state.view;
  view.crosshair = shown.crosshair();
  view.center = shown.center();
  view.extent = shown.extent();
  view.turn = shown.turn();
  view.radiological = shown.radiological();
  view.crosshairVisible = shown.crosshairVisible();
  view.lettersVisible = shown.lettersVisible();
  view.scaleBarVisible = shown.scaleBarVisible();
  view.pairMode = pair.mode();
  view.pairLower = pair.lower();
  view.pairUpper = pair.upper();
  view.pairShare = pair.share();
  view.pairTile = pair.tile();
  view.pairRate = pair.rate();
  view.plot = workspace_.evaluation().plots.current().toStdString();
  if (look_) view.window = look_();
  return state;
}

void Snapshots::restore(const SessionState& state) {
  workspace_.framing().setFramed(true);  // the state determines the view position
  std::vector<LayerState> layers = state.layers;
  const std::vector<LayerId> previews = workspace_.runs().previews();
  for (const LayerState& layer : workspace_.layers().layers())
    if (layer.origin == Origin::temporary || std::ranges::find(previews, layer.id) != previews.end())
      layers.push_back(layer);
  workspace_.layers().restore(layers, state.current);
  workspace_.runs().restore(state.runs);
  for (const auto& presenter : workspace_.presenters().all())
    if (const auto choices = state.choices.find(presenter->analysis().name); choices != state.choices.end())
      presenter->restore(choices->second);
  workspace_.framing().setFramed(!workspace_.layers().empty());
}

void Snapshots::open(const SessionState& state) {
  workspace_.layers().clear();
  // A file must not choose which machine to contact: only those that the user has named are allowed.
  SessionState known = state;
  const QStringList places = remoteHostsIn(workspace_.preferences().values().places);
  for (auto& placed : known.runs.runs)
    if (!places.contains(placed.run.place)) placed.run.place.clear();
  restore(known);
  workspace_.inputPreview().settle(workspace_.runs().runs());
  Presenters& presenters = workspace_.presenters();
  if (AnalysisPresenter* presenter = presenters.named(QString::fromStdString(state.analysis)))
    presenters.choose(presenter);
  const SessionView& view = state.view;
  ViewState& shown = workspace_.view();
  shown.setRadiological(view.radiological);
  shown.setCrosshairVisible(view.crosshairVisible);
  shown.setLettersVisible(view.lettersVisible);
  shown.setScaleBarVisible(view.scaleBarVisible);
  shown.setCenter(view.center);
  shown.setExtent(view.extent);
  shown.setCrosshair(view.crosshair);
  shown.setTurn(view.turn);
  ImageOverlay& pair = workspace_.imageOverlay();
  pair.setMode(ImageOverlay::Mode::off);
  pair.suggest(view.pairLower, view.pairUpper);
  pair.setShare(view.pairShare);
  pair.setTile(view.pairTile);
  pair.setRate(view.pairRate);
  pair.setMode(view.pairMode);
  workspace_.evaluation().plots.setCurrent(QString::fromStdString(view.plot));
  emit looked(view.window);
}

}  // namespace sulcus::ui::model
