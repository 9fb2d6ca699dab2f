#pragma once

#include "core/image/volume.h"

#include <span>
#include <vector>

namespace sulcus::preparation {

/// A slice of a volume whose signal was lost because the head moved during its excitation.
struct LostSlice {
  int volume = 0, slice = 0;  ///< both from 0; slices along the third axis of the image
  friend auto operator<=>(const LostSlice&, const LostSlice&) = default;
};

/// Half the mean of the head: of the values above the mean of an image. Darker voxels are noise.
double brightnessOf(VolumeView<const float> volume);

/// Finds slices with far less signal than predicted: a tenth less, and five standard deviations of the
/// volumes at this slice.
///
/// @param series, predicted on one grid, volume for volume; values that are not finite are ignored
/// @param groups             similar volumes, such as a shell
std::vector<LostSlice> findLostSlices(const Series<float>& series, const Series<float>& predicted,
                                      std::span<const std::vector<int>> groups);

}  // namespace sulcus::preparation
