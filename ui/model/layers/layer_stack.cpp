#include "ui/model/layers/layer_stack.h"

#include "core/image/display/layer_kinds.h"
#include "core/image/display/statistic_map.h"
#include "core/image/display/tract_coloring.h"
#include "core/math/strided_sample.h"
#include "ui/scene/scene_layer.h"

#include <QSet>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// The minimum and maximum of LayerState::volume.
std::pair<int, int> volumesOf(const Layer& layer) {
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content))
    return {-1, std::max(0, int(mesh->mesh->pointScalars.size()) - 1)};
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content))
    return {0, int(coloringsOf(*lines->tracts).size()) - 1};
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return {0, volume && volume->series && !volume->colors ? std::max(0, volume->series->count - 1) : 0};
}

int clampedVolume(const Layer& layer, int volume) {
  const auto [least, most] = volumesOf(layer);
  return std::clamp(volume, least, most);
}

bool hasPlainColor(const Layer& layer) { return isMesh(layer) || isTracts(layer); }

/// The first color that no other surface has.
int freeColor(const std::vector<LayerState>& layers) {
  const auto taken = [&](int color) {
    return std::any_of(layers.begin(), layers.end(), [color](const LayerState& state) {
      return hasPlainColor(*state.layer) && state.color == color;
    });
  };
  int color = 0;
  while (taken(color)) ++color;
  return color;
}

bool isScan(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return volume && !volume->colors && !layer.source.empty() && !layer.provenance && !isStatisticMap(layer);
}

/// Colors that leave the layers below visible: both signs from 2.3 on, F and others from 0 on, fading towards
/// smaller values.
void showAsStatistic(const Layer& layer, Display& display) {
  constexpr double kWorthASight = 2.3;  // for z and t
  if (!display.range || layer.unit == "p") return;
  const double most = std::max({std::abs(display.range->low), std::abs(display.range->high), 1e-6});
  const bool signs = display.range->low < 0;
  display.colormap = "yellow-red";
  if (signs) display.negativeColormap = "blue-lightblue";
  display.range = Range{0, most};
  display.hideBelow = most > kWorthASight ? kWorthASight : 0.25 * most;
  display.fade = true;
  display.colorBar = true;
}

/// Over another image: in colors, with improbable voxels fading to transparent.
void showAsProbability(Display& display, int certain) {
  display.colormap = "yellow-red";
  display.range = Range{0, double(certain)};
  display.hideBelow = 0.5 * certain;
  display.fade = true;
  display.colorBar = true;
}

Display displayAtFirst(const Layer& layer, const std::string& scanColors, int shown = 0) {
  Display display = layer.display;
  if (!display.range) display.range = automaticRangeOf(layer, shown);
  const bool asUsual = display.colormap == Display().colormap;
  if (isScan(layer) && asUsual) display.colormap = scanColors;
  if (asUsual && isStatisticMap(layer)) showAsStatistic(layer, display);
  if (std::holds_alternative<DisplacementLayer>(layer.content) && asUsual) {
    display.colormap = "yellow-red";  // gray lines on a gray image would be invisible
    display.colorBar = true;
  }
  if ((scene::shownScalars(layer, shown) || isTracts(layer)) && asUsual) {
    if (!display.range) display.range = Range{};
    display.colormap = display.range->low < 0 ? "cool-warm" : "viridis";
    display.colorBar = true;
  }
  return display;
}

/// Whether the middle of a color map stands for 0.
bool isDiverging(const std::string& colormap) { return colormap == "cool-warm" || colormap == "heat-cool"; }

/// Symmetric about 0 if there are values of both signs.
Range aroundZero(const Range& range) {
  const double reach = std::max(-range.low, range.high);
  return range.low < 0 && range.high > 0 ? Range{-reach, reach} : range;
}

QString uniqueName(const QString& wanted, const std::vector<LayerState>& layers, LayerId except = 0) {
  QSet<QString> taken;
  for (const LayerState& state : layers)
    if (state.id != except) taken.insert(state.name);
  QString name = wanted;
  for (int n = 2; taken.contains(name); ++n) name = QStringLiteral("%1 %2").arg(wanted).arg(n);
  return name;
}

}  // namespace

std::optional<Range> automaticRangeOf(const Layer& layer, int shown) {
  constexpr std::int64_t kSampled = 20'000;
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) {
    const Series<float>& u = *field->displacement;
    std::vector<float> lengths;
    forStridedSample(u.grid.voxels(), kSampled, [&](std::int64_t i) {
      lengths.push_back(norm(Vec3<float>{u.at(i, 0), u.at(i, 1), u.at(i, 2)}));
    });
    return Range{0, automaticRange(lengths).high};
  }
  if (const auto* scalars = scene::shownScalars(layer, shown)) {
    std::vector<float> some;
    forStridedSample(std::int64_t(scalars->second.size()), kSampled,
                     [&](std::int64_t i) { some.push_back(scalars->second[std::size_t(i)]); });
    return aroundZero(automaticRange(some));
  }
  if (const auto* data = shownTractData(layer, shown)) {
    std::vector<float> some;
    const auto n = std::int64_t(data->components);
    forStridedSample(std::int64_t(data->values.size()) / n, kSampled,
                     [&](std::int64_t i) { some.push_back(data->values[std::size_t(n * i)]); });
    return automaticRange(some);
  }
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  if (!volume || !volume->series || volume->series->count < 1) return std::nullopt;
  const auto view = volume->series->volume(std::clamp(shown, 0, volume->series->count - 1));
  Range range = automaticRange(std::span(view.data, std::size_t(view.voxels())));
  constexpr double kRounding = 1e-6;  // of the range: what interpolation leaves outside of an object
  if (std::abs(range.low) < kRounding * range.high) range.low = 0;
  return isDiverging(layer.display.colormap) ? aroundZero(range) : range;
}

bool mayBeOpacity(const Layer& layer) {
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  return volume ? !volume->colors : std::holds_alternative<LabelsLayer>(layer.content);
}

LayerStack::LayerStack(QObject* parent) : QObject(parent) {}

void LayerStack::emitPendingChange() {
  if (std::exchange(currentTold_, current_) != current_) emit currentChanged(current_);
  emit changed();
}

LayerId LayerStack::add(LayerPtr layer, Origin origin) {
  const BatchUpdate together(*this);
  LayerState state;
  state.id = nextId_++;
  state.name = uniqueName(QString::fromStdString(layer->name), layers_);
  state.display = displayAtFirst(*layer, scanColors_);
  const auto isSeenImage = [](const LayerState& other) {
    return other.display.visible && std::holds_alternative<VolumeLayer>(other.layer->content);
  };
  if (origin == Origin::given && isScan(*layer) && layer->display.colormap == Display().colormap &&
      std::ranges::any_of(layers_, isSeenImage))
    if (const int certain = certaintyIn(*layer)) showAsProbability(state.display, certain);
  if (hasPlainColor(*layer)) state.color = freeColor(layers_);
  state.origin = origin;
  state.unsaved = origin == Origin::computed;
  state.layer = std::move(layer);
  const LayerId id = state.id;
  layers_.push_back(std::move(state));
  emit added(id);
  if (origin != Origin::temporary) setCurrent(id);
  return id;
}

void LayerStack::settle(LayerId id, LayerPtr layer) {
  LayerState* state = mutableState(id);
  if (!state) return;
  const BatchUpdate together(*this);
  if (layer->content.index() != state->layer->content.index()) {
    const bool visible = state->display.visible;
    state->display = displayAtFirst(*layer, scanColors_);
    state->display.visible = visible;
  }
  state->origin = Origin::given;
  replaceContent(id, std::move(layer));
  emit added(id);
  setCurrent(id);
}

void LayerStack::remove(LayerId id) {
  const int position = positionOf(id);
  if (position < 0) return;
  const BatchUpdate together(*this);
  layers_.erase(layers_.begin() + position);
  shownTracts_.erase(id);
  for (const LayerState& other : layers_)
    if (other.opacityBy == id) setOpacityBy(other.id, 0);
  emit removed(id);
  if (current_ != id) return;
  // As in other lists, the neighbor below becomes current. removed() may have led to other removals.
  setCurrent(layers_.empty() ? 0
                             : layers_[std::min(layers_.size(), std::size_t(std::max(1, position))) - 1].id);
}

void LayerStack::clear() {
  const BatchUpdate together(*this);
  while (!layers_.empty()) remove(layers_.back().id);
}

void LayerStack::move(LayerId id, int position) {
  const int from = positionOf(id), to = std::clamp(position, 0, std::max(0, int(layers_.size()) - 1));
  if (from < 0 || from == to) return;
  const BatchUpdate together(*this);
  LayerState moved = std::move(layers_[std::size_t(from)]);
  layers_.erase(layers_.begin() + from);
  layers_.insert(layers_.begin() + to, std::move(moved));
  emit reordered();
}

void LayerStack::rename(LayerId id, const QString& name) {
  LayerState* state = mutableState(id);
  const QString trimmed = name.trimmed();
  if (!state || trimmed.isEmpty() || trimmed == state->name) return;
  const BatchUpdate together(*this);
  state->name = uniqueName(trimmed, layers_, id);
  emit displayChanged(id);
}

void LayerStack::setDisplay(LayerId id, const Display& display) {
  LayerState* state = mutableState(id);
  if (!state) return;
  const BatchUpdate together(*this);
  state->display = display;
  if (!state->display.range) state->display.range = automaticRangeOf(*state->layer, state->volume);
  emit displayChanged(id);
}

void LayerStack::showAtFirst(LayerId id) {
  const LayerState* state = find(id);
  if (!state) return;
  Display display = displayAtFirst(*state->layer, scanColors_, state->volume);
  display.visible = state->display.visible;
  setDisplay(id, display);
}

void LayerStack::setVisible(LayerId id, bool visible) {
  LayerState* state = mutableState(id);
  if (!state || state->display.visible == visible) return;
  const BatchUpdate together(*this);
  state->display.visible = visible;
  emit displayChanged(id);
}

void LayerStack::setOpacityBy(LayerId id, LayerId image) {
  LayerState* state = mutableState(id);
  if (!state || state->opacityBy == image) return;
  const BatchUpdate together(*this);
  state->opacityBy = image;
  emit displayChanged(id);
}

void LayerStack::setShownTracts(LayerId id, std::shared_ptr<const scene::ShownTracts> shown) {
  if (!find(id)) return;
  shownTracts_[id] = std::move(shown);
  emit shownTractsChanged(id);
}

std::shared_ptr<const scene::ShownTracts> LayerStack::shownTracts(LayerId id) const {
  const auto found = shownTracts_.find(id);
  return found == shownTracts_.end() ? nullptr : found->second;
}

void LayerStack::setVolume(LayerId id, int volume) {
  LayerState* state = mutableState(id);
  if (!state) return;
  volume = clampedVolume(*state->layer, volume);
  if (volume == state->volume) return;
  const BatchUpdate together(*this);
  state->volume = volume;
  if (scene::shownScalars(*state->layer, volume) || shownTractData(*state->layer, volume))
    state->display.range = automaticRangeOf(*state->layer, volume);
  emit displayChanged(id);
}

void LayerStack::replaceContent(LayerId id, LayerPtr layer, bool changed) {
  LayerState* state = mutableState(id);
  if (!state) return;
  const BatchUpdate together(*this);
  state->layer = std::move(layer);
  state->unsaved = changed || state->origin == Origin::computed;
  state->volume = clampedVolume(*state->layer, state->volume);
  emit contentChanged(id);
}

void LayerStack::setSaved(LayerId id, const LayerPtr& content) {
  LayerState* state = mutableState(id);
  if (state && state->layer == content) state->unsaved = false;
}

void LayerStack::setCurrent(LayerId id) {
  if (id == current_ || (id != 0 && !find(id))) return;
  const BatchUpdate together(*this);
  current_ = id;
}

void LayerStack::restore(const std::vector<LayerState>& wanted, LayerId current) {
  const BatchUpdate together(*this);
  const auto isWanted = [&](LayerId id) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [id](const LayerState& state) { return state.id == id; });
  };
  std::vector<LayerId> gone;
  for (const LayerState& state : layers_)
    if (!isWanted(state.id)) gone.push_back(state.id);
  for (const LayerId id : gone) remove(id);
  for (const LayerState& state : wanted) {
    LayerState* known = mutableState(state.id);
    if (!known) {
      nextId_ = std::max(nextId_, state.id + 1);
      layers_.push_back(state);
      emit added(state.id);
      continue;
    }
    const LayerState before = std::exchange(*known, state);
    if (before.layer != state.layer)
      emit contentChanged(state.id);
    else
      known->unsaved = before.unsaved;  // it may have been saved meanwhile
    if (before.name != state.name || before.display != state.display || before.volume != state.volume ||
        before.opacityBy != state.opacityBy)
      emit displayChanged(state.id);
  }
  bool moved = false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto from = std::size_t(positionOf(wanted[i].id));
    moved = moved || from != i;
    std::rotate(layers_.begin() + std::ptrdiff_t(i), layers_.begin() + std::ptrdiff_t(from),
                layers_.begin() + std::ptrdiff_t(from) + 1);
  }
  if (moved) emit reordered();
  setCurrent(current);
}

int LayerStack::positionOf(LayerId id) const {
  const auto found = std::find_if(layers_.begin(), layers_.end(), [&](const auto& s) { return s.id == id; });
  return found == layers_.end() ? -1 : int(found - layers_.begin());
}

const LayerState* LayerStack::find(LayerId id) const {
  const int position = positionOf(id);
  return position < 0 ? nullptr : &layers_[std::size_t(position)];
}

LayerState* LayerStack::mutableState(LayerId id) {
  const int position = positionOf(id);
  return position < 0 ? nullptr : &layers_[std::size_t(position)];
}

}  // namespace sulcus::ui::model
