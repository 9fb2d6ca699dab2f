#pragma once

#include "core/image/layer.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sulcus {

/// The voxels of one label.
struct LabelRegion {
  Label label = 0;
  std::int64_t voxels = 0;
  Vec3<double> mean;  ///< mean of their centers, mm, RAS+; may lie outside of a bent region
};
/// The regions of all labels of an image but 0, ascending.
std::vector<LabelRegion> labelRegions(const Volume<Label>& labels);

/// For each region of an image the center of the voxel nearest to its mean, mm, RAS+.
std::unordered_map<Label, Vec3<double>> middlesOf(const Volume<Label>& labels,
                                                  const std::vector<LabelRegion>& regions);

/// The label of a number, "17", or of a name in the table; nullopt for other text.
std::optional<Label> labelNamed(const LabelsLayer& image, const std::string& text);

/// Whether the values of one volume look like labels: whole numbers, at most 2000 different ones besides 0,
/// and most of them equal to their neighbor's, unlike the values of a scan.
bool looksLikeLabels(const Series<float>& image);

/// A volume as labels, or labels as a volume, with their initial display. Throws Error for other layers, for
/// a series, and for values that are not whole or too large.
Layer asLabels(const Layer& volume);
Layer asVolume(const Layer& labels);

/// The initial display of labels: a mask as an outline, several labels filled, so that the scan below remains
/// visible.
void showLabelsAtFirst(Display& display, const Volume<Label>& labels);

}  // namespace sulcus
