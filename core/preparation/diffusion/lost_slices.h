#pragma once

#include "core/image/volume.h"

#include <span>
#include <vector>

namespace sulcus::preparation {

/// A slice of a volume whose signal was lost because the head moved while it was excited.
struct LostSlice {
  int volume = 0, slice = 0;  ///< both from 0; slices along the third axis of the image
  friend auto operator<=>(const LostSlice&, const LostSlice&) = default;
};

/// Half the mean of a head: of the values above the mean of an image. Darker voxels are noise.
double brightnessOf(VolumeView<const float> volume);

/// Finds slices that have far less signal than is predicted of them: a tenth less, and five standard
/// deviations of the volumes there.
///
/// @param series, predicted  on one grid, volume for volume; what is not finite is left out
/// @param groups             volumes that are alike, such as a shell
std::vector<LostSlice> findLostSlices(const Series<float>& series, const Series<float>& predicted,
                                      std::span<const std::vector<int>> groups);

}  // namespace sulcus::preparation
