#include "app/elsewhere/layer_agreement.h"

#include "core/analysis/agreement.h"
#include "core/analysis/value_agreement.h"
#include "core/fibers/peak_agreement.h"

#include <algorithm>
#include <cmath>

namespace sulcus::app::elsewhere {
namespace {

constexpr double kShareOfRange = 1e-3;  // less is not seen
constexpr double kShareNeeded = 0.999;  // of the values; rounding decides some by a hair

/// The values of a volume, labels or a displacement; null for others.
std::vector<float> numbersOf(const Layer& layer) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) return volume->series->values;
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) return field->displacement->values;
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content))
    return {labels->labels->values.begin(), labels->labels->values.end()};
  return {};
}

AgreementRow valueRow(const std::string& name, const std::string& unit, const std::vector<float>& a,
                      const std::vector<float>& b) {
  const Range range = automaticRange(a);
  AgreementRow row =
      valueAgreement(name, unit, a, b, kShareOfRange * (range.high - range.low), kShareOfRange).difference;
  row.shareNeeded = kShareNeeded;
  return row;
}

/// The largest difference of each place is shown where both are images of one value a voxel.
std::optional<Layer> differenceOf(const Layer& a, const Layer& b) {
  const auto *first = std::get_if<VolumeLayer>(&a.content), *second = std::get_if<VolumeLayer>(&b.content);
  if (!first || !second) return std::nullopt;
  Series<float> difference = *first->series;
  for (std::size_t i = 0; i < difference.values.size(); ++i)
    difference.values[i] = second->series->values[i] - difference.values[i];
  Layer layer;
  layer.name = "difference", layer.unit = a.unit;
  VolumeLayer volume;
  volume.series = std::make_shared<const Series<float>>(std::move(difference));
  layer.content = std::move(volume);
  return layer;
}

void compareOne(const Layer& a, const Layer& b, Comparison& comparison, const Progress& progress) {
  const auto *peaksA = std::get_if<PeaksLayer>(&a.content), *peaksB = std::get_if<PeaksLayer>(&b.content);
  const auto *meshA = std::get_if<MeshLayer>(&a.content), *meshB = std::get_if<MeshLayer>(&b.content);
  if (peaksA && peaksB) {
    Comparison peaks = fibers::comparePeaks(*peaksA->peaks, *peaksB->peaks, fibers::kPeakTolerance, progress);
    peaks.rows.insert(peaks.rows.begin(), comparison.rows.begin(), comparison.rows.end());
    comparison = std::move(peaks);
    return;
  }
  if (meshA && meshB && meshA->mesh->triangles == meshB->mesh->triangles) {
    std::vector<double> distances;
    for (std::size_t i = 0; i < meshA->mesh->points.size(); ++i)
      distances.push_back(norm(meshA->mesh->points[i] - meshB->mesh->points[i]));
    constexpr double kTolerance = 0.01;  // mm
    comparison.rows.push_back(summarized(a.name, "mm", std::move(distances), 0, kTolerance, kShareNeeded));
    return;
  }
  const auto valuesA = numbersOf(a), valuesB = numbersOf(b);
  if (valuesA.empty() || valuesA.size() != valuesB.size()) return;
  comparison.rows.push_back(valueRow(a.name, a.unit, valuesA, valuesB));
  if (!comparison.difference) comparison.difference = differenceOf(a, b);
}

}  // namespace

Comparison compareLayers(const std::vector<Layer>& a, const std::vector<Layer>& b, const Progress& progress) {
  Comparison comparison;
  for (const Layer& one : a) {
    const auto other = std::find_if(b.begin(), b.end(), [&](const Layer& l) { return l.name == one.name; });
    if (other != b.end()) compareOne(one, *other, comparison, progress);
  }
  progress.update(1);
  return comparison;
}

}  // namespace sulcus::app::elsewhere
