#include "ui/widgets/views/scene_layers.h"

#include "core/image/grids/assumed_sides.h"
#include "ui/model/session/file_names.h"
#include "ui/widgets/views/canvas.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr qsizetype kLongestTitle = 40;  ///< of a color bar; characters that fit even in small views

scene::SceneLayer sceneLayerOf(const model::LayerState& state) {
  return {state.id, state.layer, state.display, state.volume, state.color, state.name.toStdString()};
}

}  // namespace

SceneLayers::SceneLayers(const model::LayerStack& layers, const model::ViewState& view, Canvas* canvas)
    : QObject(canvas), layers_(layers), canvas_(canvas) {
  connect(&layers, &model::LayerStack::added, this, &SceneLayers::change);
  connect(&layers, &model::LayerStack::removed, this, &SceneLayers::change);
  connect(&layers, &model::LayerStack::removed, canvas, &Canvas::releaseWhenIdle);
  connect(&layers, &model::LayerStack::reordered, this, &SceneLayers::change);
  connect(&layers, &model::LayerStack::displayChanged, this, &SceneLayers::change);
  connect(&layers, &model::LayerStack::contentChanged, this, &SceneLayers::change);
  connect(&layers, &model::LayerStack::shownTractsChanged, this, &SceneLayers::change);
  connect(&layers, &model::LayerStack::contentChanged, canvas, &Canvas::forgetUnseen);
  connect(&view, &model::ViewState::crosshairChanged, canvas, &Canvas::scheduleRender);
  connect(&view, &model::ViewState::turned, canvas, &Canvas::scheduleRender);
}

void SceneLayers::change() {
  changed_ = true;
  canvas_->scheduleRender();
  // Large surfaces are prepared for drawing in this turn: drawing takes the next one.
  std::vector<scene::MeshShapePtr> shapes;
  for (const model::LayerState& state : layers_.layers())
    if (const auto* mesh = std::get_if<MeshLayer>(&state.layer->content); mesh && isShown(state))
      shapes.push_back(scene::shapeOf(mesh->mesh));
  shapes_ = std::move(shapes);
}

bool SceneLayers::isShown(const model::LayerState& state) const {
  return shown_ ? std::find(shown_->begin(), shown_->end(), state.id) != shown_->end()
                : state.display.visible;
}

void SceneLayers::setShown(std::optional<std::vector<model::LayerId>> shown) {
  shown_ = std::move(shown);
  change();
}

void SceneLayers::setPair(const model::ImageOverlay* pair) {
  pair_ = pair;
  connect(pair, &model::ImageOverlay::changed, this, &SceneLayers::change);
  change();
}

std::vector<scene::SceneLayer> SceneLayers::pairLayers() const {
  std::vector<scene::SceneLayer> layers;
  for (const model::LayerId id : {pair_->lower(), pair_->upper()}) {
    const model::LayerState& state = *layers_.find(id);
    layers.push_back(sceneLayerOf(state));
    layers.back().display.opacity = 1;
  }
  scene::SceneLayer &lower = layers[0], &upper = layers[1];
  switch (pair_->mode()) {
    case model::ImageOverlay::Mode::checkerboard:
      upper.tile = pair_->tile();
      break;
    case model::ImageOverlay::Mode::blend:
      upper.display.opacity = pair_->share();
      break;
    case model::ImageOverlay::Mode::wipe:
      upper.cut = pair_->share();
      break;
    default:  // the other one of the pair stays in the scene, invisible: it need not be rebuilt
      (pair_->upperTurn() ? lower : upper).display.opacity = 0;
  }
  return layers;
}

std::optional<std::vector<scene::SceneLayer>> SceneLayers::takeChanged() {
  if (!taken_) take();
  if (changed_) canvas_->releaseWhenIdle();  // since they were captured
  return std::exchange(taken_, std::nullopt);
}

std::optional<scene::OpacityImage> SceneLayers::opacityImageOf(model::LayerId id) const {
  const model::LayerState* image = layers_.find(layers_.find(id)->opacityBy);
  if (!image || !model::mayBeOpacity(*image->layer)) return std::nullopt;
  return scene::OpacityImage{image->layer, image->volume, image->display.range.value_or(Range{})};
}

bool SceneLayers::areSidesAssumed(model::LayerId id) const {
  const model::LayerState& state = *layers_.find(id);
  const Grid* grid = gridOf(*state.layer);
  if (state.origin == model::Origin::given || !grid) return sidesAreAssumed(*state.layer);
  // The orientation of a result is no more certain than that of its input, which has the same grid.
  return std::ranges::any_of(layers_.layers(), [&](const model::LayerState& other) {
    const Grid* its = gridOf(*other.layer);
    return its && sidesAreAssumed(*other.layer) && sameGrid(*grid, *its);
  });
}

void SceneLayers::take() {
  if (!std::exchange(changed_, false)) return;
  std::vector<scene::SceneLayer> chosen;
  const bool paired = pair_ && pair_->mode() != model::ImageOverlay::Mode::off && !shown_;
  if (paired) chosen = pairLayers();
  for (const model::LayerState& state : layers_.layers()) {
    if (paired && (std::holds_alternative<VolumeLayer>(state.layer->content) ||
                   std::holds_alternative<DisplacementLayer>(state.layer->content)))
      continue;
    if (isShown(state)) chosen.push_back(sceneLayerOf(state));
  }
  QStringList names;
  for (const model::LayerState& state : layers_.layers()) names << state.name;
  model::ShortNames shortName(std::move(names));
  // The bar itself breaks words into lines.
  for (scene::SceneLayer& layer : chosen) {
    layer.opacityImage = opacityImageOf(layer.id);
    layer.sidesAssumed = areSidesAssumed(layer.id);
    layer.tracts = layers_.shownTracts(layer.id);
    layer.name = shortName(QString::fromStdString(layer.name), [](const QString& name) {
                   return name.contains(QLatin1Char(' ')) || name.size() <= kLongestTitle;
                 }).toStdString();
  }
  taken_ = std::move(chosen);
}

}  // namespace sulcus::ui::widgets
