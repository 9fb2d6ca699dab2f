#include "ui/model/layers/region_tools.h"

#include "core/image/grids/assumed_sides.h"
#include "core/image/labels/region_values.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace sulcus::ui::model {
namespace {

const LabelsLayer* labelsIn(const LayerState* state) {
  return state ? std::get_if<LabelsLayer>(&state->layer->content) : nullptr;
}

/// The image of a layer that has scalar values, i.e. not a color image; null for others.
const VolumeLayer* imageIn(const LayerState* state) {
  const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
  return volume && !volume->colors ? volume : nullptr;
}

LayerPtr statisticsOf(const LayerState& regions, const LayerState& of) {
  const LabelsLayer& labels = *labelsIn(&regions);
  const Series<float>& series = *imageIn(&of)->series;
  const std::string named = regions.name.toStdString(), image = of.name.toStdString();
  Layer layer;
  layer.name = "statistics of " + named + " in " + image;
  layer.content = regionTable(regionValues(*labels.labels, series, of.volume), labels.names.get());
  std::string what = "Values of '" + image + "'";
  if (series.count > 1) what += ", volume " + std::to_string(of.volume);
  if (!of.layer->unit.empty()) what += " in " + of.layer->unit;
  layer.notes = {
      what + " in the regions of '" + named +
      "'. A voxel counts if its center lies in the region; sd uses n - 1; positions are in mm, RAS+."};
  for (Note& warning : sideWarnings({regions.layer.get(), of.layer.get()}))
    layer.notes.push_back(std::move(warning));
  auto provenance = std::make_shared<Provenance>();
  provenance->analysis = "regions";
  provenance->version = sulcusVersion();
  provenance->backend = "cpu";
  provenance->device = cpuName();
  provenance->created = utcNow();
  provenance->inputs = {{"labels", regions.layer->source, ""}, {"image", of.layer->source, ""}};
  if (series.count > 1) provenance->parameters["volume"] = std::int64_t(of.volume);
  layer.provenance = std::move(provenance);
  return std::make_shared<const Layer>(std::move(layer));
}

}  // namespace

RegionTools::RegionTools(LayerStack& layers, ViewState& view, QObject* parent)
    : QObject(parent), layers_(layers), view_(view) {
  giving_.setSingleShot(true);
  connect(&giving_, &QTimer::timeout, this, &RegionTools::give);
  connect(&view_, &ViewState::crosshairChanged, this, [this] {
    if (rulerFrom_) emit rulerChanged();
  });
  connect(&layers_, &LayerStack::removed, this, [this] {
    endStroke();
    if (layers_.empty()) setRuler({});
  });
}

void RegionTools::setBrush(const Brush& brush) {
  if (brush == brush_) return;
  // The painted labels would be hidden below an image.
  if (const LayerId id = target(); brush.on && !brush_.on && id)
    layers_.move(id, int(layers_.layers().size()) - 1);
  brush_ = brush;
  endStroke();
  emit brushChanged();
}

LayerId RegionTools::target() const {
  if (labelsIn(layers_.find(layers_.current()))) return layers_.current();
  const auto& all = layers_.layers();
  const auto top =
      std::find_if(all.rbegin(), all.rend(), [](const LayerState& state) { return labelsIn(&state); });
  return top == all.rend() ? 0 : top->id;
}

LayerId RegionTools::image() const {
  if (imageIn(layers_.find(layers_.current()))) return layers_.current();
  LayerId hidden = 0;
  for (const LayerState& state : std::views::reverse(layers_.layers())) {
    if (!imageIn(&state)) continue;
    if (state.display.visible) return state.id;  // the visible one is meant
    if (!hidden) hidden = state.id;
  }
  return hidden;
}

LayerId RegionTools::ensureTarget() {
  if (const LayerId id = target()) return id;
  const VolumeLayer* image = imageIn(layers_.find(this->image()));
  if (!image) return 0;
  return layers_.add(
      std::make_shared<const Layer>(emptyLabels(tr("regions").toStdString(), image->series->grid)),
      Origin::computed);
}

void RegionTools::paintOn(const BrushStroke& stroke) {
  const LayerId id = ensureTarget();
  const LayerState* state = layers_.find(id);
  if (!state) return;
  if (const Labels& now = labelsIn(state)->labels; before_ != now || paintedOn_ != id) {
    give();
    QElapsedTimer copying;
    copying.start();
    painted_ = std::make_shared<Volume<Label>>(*now);
    before_ = now;
    paintedOn_ = id;
    copying_ = copying.elapsed();
  }
  if (paint(*painted_, stroke) == 0) return;
  isNew_ = true;
  constexpr qint64 kRests = 3;  // as a multiple of the time that copies take
  const qint64 rest = sinceGiven_.isValid() ? kRests * copying_ - sinceGiven_.elapsed() : 0;
  if (rest <= 0)
    give();
  else if (!giving_.isActive())
    giving_.start(int(rest));
}

void RegionTools::give() {
  giving_.stop();
  const LayerState* state = layers_.find(paintedOn_);
  const LabelsLayer* labels = labelsIn(state);
  // If the user has undone the last step meanwhile, this one is dropped, too.
  const bool stillWanted = std::exchange(isNew_, false) && labels && labels->labels == before_;
  const auto painted = std::exchange(painted_, nullptr);
  before_ = nullptr;
  if (!stillWanted) return;
  layers_.replaceContent(paintedOn_, std::make_shared<const Layer>(withLabels(*state->layer, painted)), true);
  layers_.setVisible(paintedOn_, true);
  sinceGiven_.start();
}

void RegionTools::endStroke() {
  last_.reset();
  give();
}

void RegionTools::strokeTo(const Vec3<double>& place, const Vec3<double>& across) {
  const Vec3<double> from = std::exchange(last_, place).value_or(place);
  std::optional<Vec3<double>> plane;  // none: a ball
  if (!brush_.ball) plane = across;
  paintOn({from, place, brush_.radius, brush_.erases ? 0 : brush_.label, plane});
}

void RegionTools::addBall(const Vec3<double>& center, double radius) {
  paintOn({center, center, radius, brush_.label, {}});
  give();
}

std::function<LayerPtr()> RegionTools::statistics() const {
  const LayerState *regions = layers_.find(target()), *of = layers_.find(image());
  if (!regions || !of) return {};
  return [regions = *regions, of = *of] { return statisticsOf(regions, of); };
}

void RegionTools::setRuler(std::optional<Vec3<double>> from) {
  if (from == rulerFrom_) return;
  rulerFrom_ = from;
  emit rulerChanged();
}

double RegionTools::rulerLength() const { return rulerFrom_ ? norm(view_.crosshair() - *rulerFrom_) : 0; }

}  // namespace sulcus::ui::model
