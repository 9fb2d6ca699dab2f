#include "core/image/labels/region_values.h"

#include "core/base/figure.h"
#include "core/base/numbers.h"
#include "core/image/labels/label_regions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <unordered_map>

namespace sulcus {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Running mean and sum of squares (Welford, Technometrics 4 (1962) 419).
struct RunningMean {
  std::int64_t count = 0;
  double mean = 0, squares = 0;

  void add(double value) {
    const double before = value - mean;
    mean += before / double(++count);
    squares += before * (value - mean);
  }
  double deviation() const {
    if (count == 0) return kNoNumber;
    return count > 1 ? std::sqrt(squares / double(count - 1)) : 0;
  }
};

std::string orMissing(double value) { return std::isfinite(value) ? numberText(value) : "n/a"; }

}  // namespace

std::vector<Label> labelsAt(const Volume<Label>& labels, const Grid& grid) {
  if (sameGrid(labels.grid, grid)) return labels.values;
  std::vector<Label> found(grid.voxels(), 0);
  const Affine voxelFromWorld = labels.grid.worldFromVoxel.inverse();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Vec3<double> at = voxelFromWorld.point(grid.positionOf(i));
    const Vec3<int> in{int(std::floor(at.x + 0.5)), int(std::floor(at.y + 0.5)), int(std::floor(at.z + 0.5))};
    if (labels.grid.contains(in.x, in.y, in.z)) found[i] = labels(in.x, in.y, in.z);
  }
  return found;
}

std::vector<RegionValues> regionValues(const Volume<Label>& labels, const Series<float>& image, int volume) {
  struct Found {
    RunningMean mean;
    double low = std::numeric_limits<double>::infinity(), high = -low;
  };
  std::unordered_map<Label, Found> found;
  Found* last = nullptr;
  Label lastLabel = 0;
  const std::vector<Label> at = labelsAt(labels, image.grid);
  const auto values = image.volume(volume);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double value = values.data[i];
    if (at[i] == 0 || !std::isfinite(value)) continue;
    if (!last || at[i] != lastLabel) last = &found[lastLabel = at[i]];
    Found& region = *last;
    region.mean.add(value);
    region.low = std::min(region.low, value);
    region.high = std::max(region.high, value);
  }
  const double voxelVolume = std::abs(labels.grid.worldFromVoxel.determinant());
  std::vector<RegionValues> regions;
  const std::vector<LabelRegion> all = labelRegions(labels);
  const auto middles = middlesOf(labels, all);
  for (const LabelRegion& one : all) {
    RegionValues region{one.label, one.voxels, double(one.voxels) * voxelVolume,
                        0,         kNoNumber,  kNoNumber,
                        kNoNumber, kNoNumber,  middles.at(one.label)};
    if (const auto in = found.find(one.label); in != found.end()) {
      const Found& of = in->second;
      region.voxels = of.mean.count;
      region.mean = of.mean.mean;
      region.deviation = of.mean.deviation();
      region.low = of.low;
      region.high = of.high;
    }
    regions.push_back(region);
  }
  return regions;
}

TableLayer regionTable(const std::vector<RegionValues>& regions, const LabelTable* names) {
  TableLayer table;
  table.columns = {"label", "region_voxels", "volume_mm3", "voxels", "mean", "sd",
                   "min",   "max",           "x_mm",       "y_mm",   "z_mm"};
  if (names) table.columns.insert(table.columns.begin() + 1, "name");
  for (const RegionValues& region : regions) {
    const double edge = region.regionVoxels > 0 ? std::cbrt(region.volume / double(region.regionVoxels)) : 0;
    const auto place = [&](double at) { return fixedText(at, placeDecimals(edge)); };
    std::vector<std::string> row = {std::to_string(region.label), std::to_string(region.regionVoxels),
                                    figure(region.volume),        std::to_string(region.voxels),
                                    orMissing(region.mean),       orMissing(region.deviation),
                                    orMissing(region.low),        orMissing(region.high),
                                    place(region.middle.x),       place(region.middle.y),
                                    place(region.middle.z)};
    if (names) {
      const auto name = names->find(region.label);
      row.insert(row.begin() + 1,
                 name == names->end() || name->second.name.empty() ? "n/a" : name->second.name);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

RegionSeries regionSeries(const std::vector<Label>& labels, Label label, const Series<float>& series) {
  std::vector<std::int64_t> voxels;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] == label) voxels.push_back(std::int64_t(i));
  RegionSeries means;
  means.voxels = std::int64_t(voxels.size());
  for (int volume = 0; volume < series.count; ++volume) {
    RunningMean mean;
    for (const std::int64_t voxel : voxels)
      if (const double value = series.at(voxel, volume); std::isfinite(value)) mean.add(value);
    means.mean.push_back(mean.count > 0 ? mean.mean : kNoNumber);
    means.deviation.push_back(mean.deviation());
  }
  return means;
}

}  // namespace sulcus
