#include "core/image/layer.h"

#include "core/base/error.h"
#include "core/image/grids/value_check.h"
#include "core/math/statistics.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <cmath>

namespace sulcus {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;  // clang 14 does not deduce it

}  // namespace

const Grid* gridOf(const Layer& layer) {
  return std::visit(Overload{[](const VolumeLayer& l) -> const Grid* { return &l.series->grid; },
                             [](const LabelsLayer& l) -> const Grid* { return &l.labels->grid; },
                             [](const PeaksLayer& l) -> const Grid* { return &l.peaks->grid; },
                             [](const DisplacementLayer& l) -> const Grid* { return &l.displacement->grid; },
                             [](const auto&) -> const Grid* { return nullptr; }},
                    layer.content);
}

std::string kindOf(const Layer& layer) {
  return std::visit(Overload{[](const VolumeLayer& l) -> std::string {
                               if (l.colors) return "color image";
                               if (!l.gradients.empty()) return "diffusion series";
                               return l.series->count > 1 ? "series" : "volume";
                             },
                             [](const LabelsLayer&) -> std::string { return "labels"; },
                             [](const PeaksLayer& l) -> std::string {
                               return l.peaks && l.peaks->count == 0 ? "functions on the sphere" : "peaks";
                             },
                             [](const DisplacementLayer&) -> std::string { return "displacement"; },
                             [](const MeshLayer&) -> std::string { return "surface"; },
                             [](const TableLayer&) -> std::string { return "table"; },
                             [](const CurveLayer&) -> std::string { return "curves"; },
                             [](const TractsLayer&) -> std::string { return "tracts"; }},
                    layer.content);
}

std::string kindWithArticle(const Layer& layer) {
  const std::string kind = kindOf(layer);
  const bool isPlural = std::holds_alternative<LabelsLayer>(layer.content) ||
                        std::holds_alternative<PeaksLayer>(layer.content) ||
                        std::holds_alternative<CurveLayer>(layer.content) ||
                        std::holds_alternative<TractsLayer>(layer.content);
  return isPlural ? kind : "a " + kind;
}

std::string usualExtension(const Layer& layer) {
  if (gridOf(layer)) return ".nii.gz";
  if (std::holds_alternative<TractsLayer>(layer.content)) return ".trx";
  return std::holds_alternative<MeshLayer>(layer.content) ? ".vtp" : ".tsv";
}

Mask maskOf(const Layer& layer) {
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    Mask mask(labels->labels->grid);
    std::transform(labels->labels->values.begin(), labels->labels->values.end(), mask.values.begin(),
                   [](Label v) { return std::uint8_t(v != 0); });
    return mask;
  }
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    if (volume->series->count != 1)
      throw Error("'" + layer.name + "' holds " + std::to_string(volume->series->count) + " volumes",
                  "a mask is one volume", "give one volume of it");
    Mask mask(volume->series->grid);
    std::transform(volume->series->values.begin(), volume->series->values.end(), mask.values.begin(),
                   [](float v) { return std::uint8_t(v != 0 && isSound(v)); });
    return mask;
  }
  throw Error("'" + layer.name + "' is not a mask", "it holds " + kindWithArticle(layer),
              "choose a volume or labels in which the voxels wanted are not 0");
}

Layer mapLayer(std::string name, std::string unit, std::string colormap, Series<float> values,
               std::optional<Range> range) {
  Layer layer;
  layer.name = std::move(name);
  layer.unit = std::move(unit);
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(values)), {}, 0, {}};
  layer.display.visible = false;
  layer.display.colormap = std::move(colormap);
  layer.display.colorBar = true;
  layer.display.range = range;
  return layer;
}

Layer labelsLayer(std::string name, std::shared_ptr<const Volume<Label>> labels) {
  Layer layer;
  layer.name = std::move(name);
  layer.content = LabelsLayer{std::move(labels)};
  layer.display.visible = false;
  return layer;
}

Layer maskLayer(std::string name, const Mask& mask) {
  Volume<Label> labels(mask.grid);
  std::copy(mask.values.begin(), mask.values.end(), labels.values.begin());
  return labelsLayer(std::move(name), std::make_shared<const Volume<Label>>(std::move(labels)));
}

Layer tableLayer(std::string name, TableLayer table) {
  Layer layer;
  layer.name = std::move(name);
  layer.content = std::move(table);
  layer.display.visible = false;
  return layer;
}

Layer withConvention(const Layer& field, FieldConvention convention) {
  const auto* displacement = std::get_if<DisplacementLayer>(&field.content);
  if (!displacement)
    throw Error("'" + field.name + "' is not a displacement field", "it holds " + kindWithArticle(field),
                "choose a field of three components");
  if (displacement->convention == convention) return field;
  Layer layer = field;
  auto flipped = std::make_shared<Series<float>>(*displacement->displacement);
  // x and y, the first two volumes, change sign between RAS and LPS.
  for (float& u : std::span(flipped->values).first(2 * flipped->grid.voxels())) u = -u;
  layer.content = DisplacementLayer{std::move(flipped), convention};
  return layer;
}

Range automaticRange(std::span<const float> values) {
  std::vector<float> sample = stridedSample(values, [](float value) { return std::isfinite(value); });
  if (sample.empty()) return {0, 1};
  Range range{lowerQuantile(std::span(sample), 0.02), lowerQuantile(std::span(sample), 0.98)};
  if (!(range.high > range.low)) {  // mostly one value: use the full range
    const auto [low, high] = std::minmax_element(sample.begin(), sample.end());
    range = {double(*low), double(*high)};
  }
  if (!(range.high > range.low)) range.high = range.low + 1;
  return range;
}

Range symmetricRange(std::span<const float> values, double least, double middle) {
  const Range range = automaticRange(values);
  const double reach = std::max({std::abs(range.low - middle), std::abs(range.high - middle), least});
  return {middle - reach, middle + reach};
}

}  // namespace sulcus
