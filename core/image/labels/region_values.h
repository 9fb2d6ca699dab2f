#pragma once

#include "core/image/layer.h"

#include <memory>
#include <vector>

namespace sulcus {

/// The values of an image in one region.
struct RegionValues {
  Label label = 0;
  std::int64_t regionVoxels = 0;  ///< in the labels
  double volume = 0;              ///< of the region, mm³
  std::int64_t voxels = 0;        ///< of the image with their center in the region, except NaN
  double mean = 0, deviation = 0, low = 0, high = 0;  ///< of these values; NaN if there are none
  Vec3<double> middle;  ///< center of a voxel of the region near its mean, mm, RAS+
};

/// The label of each voxel of `grid`: that of the labels' voxel in which its center lies; 0 outside.
std::vector<Label> labelsAt(const Volume<Label>& labels, const Grid& grid);

/// One entry per label but 0, ascending. The deviation is the sample standard deviation (n − 1).
///
/// @param volume  of the image, from 0
std::vector<RegionValues> regionValues(const Volume<Label>& labels, const Series<float>& image, int volume);

/// Regions as a table: label, name if there are any, region_voxels, volume_mm3, voxels, mean, sd, min, max,
/// x_mm, y_mm, z_mm (the middle).
TableLayer regionTable(const std::vector<RegionValues>& regions, const LabelTable* names);

/// The mean of each volume of a series over a region, and the standard deviation over its voxels.
struct RegionSeries {
  std::int64_t voxels = 0;
  std::vector<double> mean, deviation;
};
/// @param labels  one per voxel of the series, see labelsAt()
RegionSeries regionSeries(const std::vector<Label>& labels, Label label, const Series<float>& series);

}  // namespace sulcus
