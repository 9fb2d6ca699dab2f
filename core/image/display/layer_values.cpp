#include "core/image/display/layer_values.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/value_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <type_traits>

namespace sulcus {
namespace {

constexpr std::size_t kMostLabels = 128;  // in a volume that looks like labels
constexpr std::int64_t kGlance = 251;     // voxels between samples; a prime, so that they follow no row
constexpr std::size_t kListed = 12;

/// Calls use(value) for each voxel, or for every `step`th, until it returns false.
template <class Use>
void forEachVoxel(const Layer& layer, const Use& use, std::int64_t step = 1) {
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    const auto& values = labels->labels->values;
    for (std::size_t i = 0; i < values.size(); i += std::size_t(step))
      if (!use(values[i])) return;
  } else if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    const float* const values = volume->series->values.data();
    for (std::int64_t i = 0; i < volume->series->grid.voxels(); i += step)
      if (!use(values[i])) return;
  }
}

}  // namespace

Range soundRange(const Layer& layer) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content);
      labels && !labels->labels->values.empty()) {
    const auto [low, high] = std::ranges::minmax(labels->labels->values);
    return {double(low), double(high)};
  }
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  if (!volume) return {kNone, kNone};
  const Series<float>& series = *volume->series;
  const ValueCheck check = checkValues({series.values.data(), std::size_t(series.grid.voxels())});
  return check.sound > 0 ? Range{check.low, check.high} : Range{kNone, kNone};
}

Volume<float> firstVolume(const Layer& layer, const Message& use) {
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    Volume<float> volume(labels->labels->grid);
    std::copy(labels->labels->values.begin(), labels->labels->values.end(), volume.values.begin());
    return volume;
  }
  const Series<float>& series = *volumeOf(layer, use).series;
  Volume<float> volume(series.grid);
  std::copy_n(series.values.begin(), volume.values.size(), volume.values.begin());
  return volume;
}

std::shared_ptr<const Volume<Label>> wholeNumbers(const Layer& layer, const Message& use) {
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) return labels->labels;
  const Series<float>& numbers = *volumeOf(layer, use).series;
  if (numbers.count != 1 || !std::all_of(numbers.values.begin(), numbers.values.end(), isLabelValue))
    throw Error("'" + layer.name + "' cannot be used as " + use, "labels are integers, one per voxel",
                "give an image of labels");
  requireExact(layer, use);
  auto labels = std::make_shared<Volume<Label>>(numbers.grid);
  std::copy(numbers.values.begin(), numbers.values.end(), labels->values.begin());
  return labels;
}

bool isLabeled(const Layer& layer) {
  if (std::holds_alternative<LabelsLayer>(layer.content)) return true;
  if (!isImage(layer)) return false;
  const auto holdsFew = [&layer](std::int64_t step) {
    std::set<double> found;
    double last = 0;
    bool few = true;
    const auto look = [&](auto value) {
      if (double(value) == last || !isSound(value)) return true;  // as found outside of a resampled map
      last = double(value);
      few = last == std::floor(last) && (found.insert(last), found.size() <= kMostLabels);
      return few;
    };
    forEachVoxel(layer, look, step);
    return few;
  };
  return holdsFew(kGlance) && holdsFew(1);  // a sample suffices to see that a scan holds no labels
}

std::vector<Label> labelsOf(const Layer& layer) {
  std::set<Label> found;
  Label last = 0;
  bool whole = true;
  forEachVoxel(layer, [&](auto value) {
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      if (!isSound(value)) return true;
      whole = isLabelValue(value);
      if (!whole) return false;
    }
    if (Label(value) != last) found.insert(last = Label(value));
    return true;
  });
  found.erase(0);
  return whole ? std::vector<Label>(found.begin(), found.end()) : std::vector<Label>();
}

std::string listed(const std::vector<Label>& labels) {
  std::string list;
  for (std::size_t i = 0; i < std::min(labels.size(), kListed); ++i)
    list += (i > 0 ? ", " : "") + std::to_string(labels[i]);
  return labels.size() > kListed ? text(list, " and ", labels.size() - kListed, " more") : list;
}

void requireExact(const Layer& layer, const Message& use) {
  if (std::ranges::find(layer.notes, kRoundedNumbers, &Note::text) == layer.notes.end()) return;
  throw Error("'" + layer.name + "' cannot be used as " + use,
              "it was read as measurements, in single precision: large labels were changed",
              "name the file …_dseg, which marks it as labels");
}

Mask maskOfLabel(const Layer& layer, Label label) {
  if (label == 0) return maskOf(layer);
  Mask mask(*gridOf(layer));
  auto out = mask.values.begin();
  forEachVoxel(layer, [&](auto value) {
    if constexpr (std::is_integral_v<decltype(value)>)
      *out++ = value == label;
    else
      *out++ = double(value) == double(label);
    return true;
  });
  return mask;
}

std::shared_ptr<const Volume<Label>> labelsOn(const Layer& layer, const Message& use, const Grid& grid,
                                              const std::string& of) {
  auto labels = wholeNumbers(layer, use);
  if (!sameGrid(labels->grid, grid))
    throw Error(
        "'" + layer.name + "' has a different grid than the " + of + ": " + otherGrid(labels->grid, grid),
        "labels say which voxels of the " + of + " belong to a region",
        "give labels on the grid of the " + of);
  if (std::all_of(labels->values.begin(), labels->values.end(), [](auto label) { return label == 0; }))
    throw Error("'" + layer.name + "' holds no label", "all of it is 0, the background",
                "give an image of labels, or none");
  return labels;
}

}  // namespace sulcus
