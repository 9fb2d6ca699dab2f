#pragma once

#include "core/image/layer.h"

#include <vector>

namespace sulcus {

/// The voxels of one label.
struct LabelRegion {
  std::int32_t label = 0;
  std::int64_t voxels = 0;
  Vec3<double> mean;  ///< of their centres, mm, RAS+; not in the region where it is bent
};
/// All labels of an image but 0, ascending.
std::vector<LabelRegion> labelRegions(const Volume<std::int32_t>& labels);

/// The centre of the region's voxel that is nearest to its mean, mm, RAS+.
Vec3<double> middleOf(const Volume<std::int32_t>& labels, const LabelRegion& region);

/// Whether the numbers of one volume look like labels: whole, at most 2000 different ones but 0, and most of
/// them the same as their neighbour's, which the numbers of a scan are not.
bool looksLikeLabels(const Series<float>& image);

/// A volume as labels, or labels as a volume, as they start on screen. Throws Error for other layers, for a
/// series, and for numbers that are not whole or too large.
Layer asLabels(const Layer& volume);
Layer asVolume(const Layer& labels);

/// How labels start on screen: a mask as an outline, several labels filled, so that the scan below is seen.
void showLabelsAtFirst(Display& display, const Volume<std::int32_t>& labels);

}  // namespace sulcus
