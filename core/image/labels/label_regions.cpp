#include "core/image/labels/label_regions.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace sulcus {
namespace {

constexpr std::size_t kMostDifferent = 2000;   // a parcellation of the cortex has a thousand
constexpr std::int64_t kFewestNeighbors = 64;  // with fewer, nothing can be said
constexpr double kSameNeighbor = 0.7;  // least share of equal neighbors; scans have a tenth to a third

/// Calls use(label, x, y, z) for each nonzero voxel.
template <class Use>
void forEachLabeled(const Volume<Label>& labels, const Use& use) {
  const Vec3<int> size = labels.grid.size;
  const Label* label = labels.values.data();
  for (int z = 0; z < size.z; ++z)
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x, ++label)
        if (*label != 0) use(*label, x, y, z);
}

/// Adds a value to the different ones of an image. Returns whether all may be labels: few whole numbers.
bool addLabel(float value, std::unordered_set<float>& different) {
  return isLabelValue(value) && (!different.insert(value).second || different.size() <= kMostDifferent);
}

}  // namespace

std::vector<LabelRegion> labelRegions(const Volume<Label>& labels) {
  std::unordered_map<Label, LabelRegion> found;
  LabelRegion* last = nullptr;  // neighbors mostly have the same label, and nodes of the map do not move
  forEachLabeled(labels, [&](Label label, int x, int y, int z) {
    if (!last || last->label != label) last = &found[label];
    last->label = label;
    ++last->voxels;
    last->mean = last->mean + Vec3<double>{double(x), double(y), double(z)};
  });
  std::vector<LabelRegion> regions;
  for (auto& [label, region] : found) {
    region.mean = labels.grid.worldFromVoxel.point(1.0 / double(region.voxels) * region.mean);
    regions.push_back(region);
  }
  std::sort(regions.begin(), regions.end(),
            [](const LabelRegion& a, const LabelRegion& b) { return a.label < b.label; });
  return regions;
}

std::unordered_map<Label, Vec3<double>> middlesOf(const Volume<Label>& labels,
                                                  const std::vector<LabelRegion>& regions) {
  struct Nearest {
    Vec3<double> mean, middle;
    double distance = std::numeric_limits<double>::infinity();
  };
  std::unordered_map<Label, Nearest> nearest;
  for (const LabelRegion& region : regions) nearest[region.label] = {region.mean, region.mean};
  Nearest* of = nullptr;  // neighbors mostly have the same label
  Label last = 0;
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    const Label label = labels.values[i];
    if (label == 0) continue;
    if (!of || label != last) of = &nearest.at(last = label);
    const Vec3<double> at = labels.grid.positionOf(i);
    const Vec3<double> offset = at - of->mean;
    if (const double distance = dot(offset, offset); distance < of->distance) {
      of->distance = distance;
      of->middle = at;
    }
  }
  std::unordered_map<Label, Vec3<double>> middles;
  for (const auto& [label, one] : nearest) middles[label] = one.middle;
  return middles;
}

std::optional<Label> labelNamed(const LabelsLayer& image, const std::string& text) {
  constexpr double kExact = 9e15;  // up to here double has all whole numbers
  const auto number = numberIn(text);
  if (number && *number == std::floor(*number) && std::abs(*number) < kExact) return Label(*number);
  if (image.names)
    for (const auto& [label, entry] : *image.names)
      if (!text.empty() && entry.name == text) return label;
  return {};
}

bool looksLikeLabels(const Series<float>& image) {
  if (image.count != 1) return false;
  std::unordered_set<float> different;
  std::int64_t pairs = 0, same = 0;
  float last = 0;
  const float* value = image.values.data();
  const Vec3<int> size = image.grid.size;
  for (std::int64_t row = 0; row < std::int64_t(size.y) * size.z; ++row) {
    float before = 0;
    for (int x = 0; x < size.x; ++x, ++value) {
      if (*value != 0 && *value != last) {
        last = *value;
        if (!addLabel(last, different)) return false;
      }
      const bool isPair = before != 0 && *value != 0;
      pairs += isPair;
      same += isPair && before == *value;
      before = *value;
    }
  }
  return pairs >= kFewestNeighbors && double(same) >= kSameNeighbor * double(pairs);
}

Layer asLabels(const Layer& volume) {
  if (std::holds_alternative<LabelsLayer>(volume.content)) return volume;
  Layer layer = volume;
  auto labels = wholeNumbers(volume, "labels");
  showLabelsAtFirst(layer.display, *labels);
  layer.content = LabelsLayer{std::move(labels)};
  return layer;
}

Layer asVolume(const Layer& labels) {
  Layer layer = labels;
  const Volume<float> numbers = firstVolume(labels, "volume");
  auto series = std::make_shared<Series<float>>(numbers.grid, 1);
  series->values.assign(numbers.values.begin(), numbers.values.end());
  layer.content = VolumeLayer{std::move(series), {}, 0, {}};
  layer.display = {};
  return layer;
}

void showLabelsAtFirst(Display& display, const Volume<Label>& labels) {
  display.outline = holdsOneLabel(labels);
  if (!display.outline) display.opacity = 0.6;
  display.interpolate = false;
}

}  // namespace sulcus
