#pragma once

#include "core/image/layer.h"

#include <unordered_map>
#include <vector>

namespace sulcus {

/// The voxels of one label.
struct LabelRegion {
  Label label = 0;
  std::int64_t voxels = 0;
  Vec3<double> mean;  ///< of their centers, mm, RAS+; not in the region where it is bent
};
/// All labels of an image but 0, ascending.
std::vector<LabelRegion> labelRegions(const Volume<Label>& labels);

/// For each of an image's regions the center of its voxel that is nearest to its mean, mm, RAS+.
std::unordered_map<Label, Vec3<double>> middlesOf(const Volume<Label>& labels,
                                                  const std::vector<LabelRegion>& regions);

/// Whether the numbers of one volume look like labels: whole, at most 2000 different ones but 0, and most of
/// them the same as their neighbor's, which the numbers of a scan are not.
bool looksLikeLabels(const Series<float>& image);

/// A volume as labels, or labels as a volume, as they start on screen. Throws Error for other layers, for a
/// series, and for numbers that are not whole or too large.
Layer asLabels(const Layer& volume);
Layer asVolume(const Layer& labels);

/// How labels start on screen: a mask as an outline, several labels filled, so that the scan below is seen.
void showLabelsAtFirst(Display& display, const Volume<Label>& labels);

}  // namespace sulcus
