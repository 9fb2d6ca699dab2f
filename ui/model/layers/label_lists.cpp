#include "ui/model/layers/label_lists.h"

#include "core/image/labels/label_paint.h"
#include "core/image/labels/label_regions.h"
#include "core/image/labels/point_regions.h"
#include "ui/model/layers/readout.h"
#include "ui/scene/scene_layer.h"

#include <cmath>
#include <utility>

namespace sulcus::ui::model {
namespace {

constexpr double kCubicMillimetersPerMilliliter = 1000, kSquareMillimetersPerCentimeter = 100;

ListedLabels listOf(const LabelsLayer& image) {
  ListedLabels all{LabelLists::tr("mL"), image.names, {}};
  const double milliliters =
      std::abs(image.labels->grid.worldFromVoxel.determinant()) / kCubicMillimetersPerMilliliter;
  const std::vector<LabelRegion> regions = labelRegions(*image.labels);
  const auto middles = middlesOf(*image.labels, regions);
  for (const LabelRegion& region : regions)
    all.labels.push_back({region.label, labelText(region.label, image.names.get()),
                          double(region.voxels) * milliliters, LabelLists::tr("%1 voxels").arg(region.voxels),
                          middles.at(region.label)});
  return all;
}

ListedLabels listOf(const Mesh& mesh, const std::string& scalars) {
  const auto names = mesh.labelTables.at(scalars);
  ListedLabels all{LabelLists::tr("cm²"), names, {}};
  for (const PointRegion& region : pointRegions(mesh, mesh.pointScalars.at(scalars)))
    all.labels.push_back({region.label, labelText(region.label, names.get()),
                          region.area / kSquareMillimetersPerCentimeter,
                          LabelLists::tr("%1 points").arg(region.points), region.middle});
  return all;
}

}  // namespace

LabelLists::LabelLists(LayerStack& layers, JobQueue& quick, QObject* parent)
    : QObject(parent), layers_(layers), quick_(quick) {
  connect(&layers, &LayerStack::removed, this, [this](LayerId id) { known_.erase(id); });
}

bool LabelLists::has(const LayerState& state) {
  return std::holds_alternative<LabelsLayer>(state.layer->content) ||
         scene::shownLabels(*state.layer, state.volume);
}

LabelLists::Key LabelLists::keyOf(const LayerState& state) {
  if (const auto* image = std::get_if<LabelsLayer>(&state.layer->content))
    return {image->labels, image->names, {}};
  return {std::get<MeshLayer>(state.layer->content).mesh, scene::shownLabels(*state.layer, state.volume),
          scene::shownScalars(*state.layer, state.volume)->first};
}

std::shared_ptr<const ListedLabels> LabelLists::of(const LayerState& state) {
  if (!has(state)) return nullptr;
  CachedList& known = known_[state.id];
  const Key key = keyOf(state);
  if (std::exchange(known.asked, key) == key) return known.labels;
  // While labels are painted, the layer may have new ones before this starts: labels that are no longer
  // referenced are not listed.
  using Labels = std::weak_ptr<const Volume<Label>>;
  std::function<ListedLabels()> list;
  if (const auto* image = std::get_if<LabelsLayer>(&state.layer->content))
    list = [labels = Labels(image->labels), names = image->names] {
      const LabelsLayer image{labels.lock(), names};
      return image.labels ? listOf(image) : ListedLabels();
    };
  else
    list = [surface = std::get<MeshLayer>(state.layer->content).mesh, scalars = key.scalars] {
      return listOf(*surface, scalars);
    };
  quick_.submit([list = std::move(list)](const Progress&) { return list(); },
                [this, id = state.id, key](ListedLabels labels) {
                  const auto asked = known_.find(id);
                  if (asked == known_.end() || !(asked->second.asked == key))
                    return;  // gone, or replaced meanwhile
                  asked->second.labels = std::make_shared<const ListedLabels>(std::move(labels));
                  emit listed(id);
                });
  return known.labels;
}

void LabelLists::relabel(LayerId id, const std::set<Label>& from, Label to) {
  const LayerState* state = layers_.find(id);
  if (!state || from.empty()) return;
  quick_.submit([layer = state->layer, from,
                 to](const Progress&) { return std::pair(layer, withRelabeled(*layer, from, to)); },
                [this, id](const std::pair<LayerPtr, LayerPtr>& made) {
                  const LayerState* now = layers_.find(id);
                  if (now && now->layer == made.first && made.second)
                    layers_.replaceContent(id, made.second, true);
                });
}

LayerPtr withRelabeled(const Layer& layer, const std::set<Label>& from, Label to) {
  const auto* image = std::get_if<LabelsLayer>(&layer.content);
  if (!image) return nullptr;
  auto labels = std::make_shared<Volume<Label>>(*image->labels);
  for (Label& label : labels->values)
    if (label != 0 && label != to && from.contains(label)) label = to;
  auto changed = std::make_shared<Layer>(withLabels(layer, std::move(labels)));
  if (image->names) {
    auto names = std::make_shared<LabelTable>(*image->names);
    std::erase_if(*names, [&](const auto& one) { return one.first != to && from.contains(one.first); });
    std::get<LabelsLayer>(changed->content).names = std::move(names);
  }
  return changed;
}

LayerPtr withLabelEntry(const Layer& layer, Label label, const LabelEntry& entry) {
  const auto* image = std::get_if<LabelsLayer>(&layer.content);
  if (!image) return nullptr;
  auto names = image->names ? std::make_shared<LabelTable>(*image->names) : std::make_shared<LabelTable>();
  (*names)[label] = entry;
  auto changed = std::make_shared<Layer>(layer);
  std::get<LabelsLayer>(changed->content).names = std::move(names);
  return changed;
}

}  // namespace sulcus::ui::model
