#pragma once

#include "core/image/layer.h"

#include <memory>
#include <vector>

namespace sulcus {

/// The values of an image in one region.
struct RegionValues {
  Label label = 0;
  std::int64_t regionVoxels = 0;  ///< of the labels
  double volume = 0;              ///< of these, mm³
  std::int64_t voxels = 0;        ///< of the image with their center in the region and a number in them
  double mean = 0, deviation = 0, low = 0, high = 0;  ///< of these; NaN where there is none
  Vec3<double> middle;                                ///< of a voxel of the region, near its mean, mm RAS+
};

/// Which label each voxel of `grid` has: that of the voxel of the labels its center lies in; 0 outside.
std::vector<Label> labelsAt(const Volume<Label>& labels, const Grid& grid);

/// One for each label but 0, ascending. The deviation is that of the values from their mean, divided by n
/// − 1.
///
/// @param volume  of the image, from 0
std::vector<RegionValues> regionValues(const Volume<Label>& labels, const Series<float>& image, int volume);

/// Regions as a table: label, name where there are any, region_voxels, volume_mm3, voxels, mean, sd, min,
/// max, x_mm, y_mm, z_mm (the middle).
TableLayer regionTable(const std::vector<RegionValues>& regions, const LabelTable* names);

/// The mean of each volume of a series over a region, and how far its voxels are from it (standard
/// deviation).
struct RegionSeries {
  std::int64_t voxels = 0;
  std::vector<double> mean, deviation;
};
/// @param labels  of the voxels of the series, see labelsAt()
RegionSeries regionSeries(const std::vector<Label>& labels, Label label, const Series<float>& series);

}  // namespace sulcus
