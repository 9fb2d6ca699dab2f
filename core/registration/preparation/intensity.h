#pragma once

#include "core/registration/preparation/intensity_kernel.h"
#include "core/registration/registration.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sulcus::registration {

// Images here are one value per voxel. Masks have the same number of values; voxels where they are 0 are
// ignored.

/// The smallest and the largest value in a mask; ±∞ if it is empty.
struct Extremes {
  float low = std::numeric_limits<float>::infinity(), high = -low;
};
Extremes extremes(const std::vector<float>& values, const std::vector<std::uint8_t>& mask);

/// The mean of an image in a mask. Brighter voxels are the foreground.
double foregroundThreshold(const std::vector<float>& values, const std::vector<std::uint8_t>& mask);

/// The quantile of the foreground for a `share` (0…1), that is, of the voxels in the mask that are brighter
/// than the threshold; the threshold itself if there are none.
double foregroundQuantile(const std::vector<float>& values, const std::vector<std::uint8_t>& mask,
                          double threshold, double share);

/// The size of the object that fills a region: the root mean square, over the axes with more than one voxel,
/// of the standard deviation of its points along them, mm, as the unit of an ObjectFrame; 45 mm for a head. 0
/// if the region is empty.
double objectRadius(const std::vector<std::uint8_t>& region, const Grid& grid);

/// The range of an image in a mask.
using FindBrightness = Brightness(const std::vector<float>& values, const std::vector<std::uint8_t>& mask);

/// Computes it on the CPU.
FindBrightness brightnessOf;

/// Makes the intensities of the pre-aligned template `moving` like those of the reference. Both lie on one
/// grid; the foregrounds in the mask are compared and all voxels are changed.
///   histogram  piecewise linear map that makes the quantiles of both foregrounds equal
///   linear     linear map that makes mean and standard deviation of both foregrounds equal
///   off        no change
void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& mask, IntensityMatch match);

/// matchIntensities(), followed by division of both images by the reference's range.
///
/// @param own  the template is divided by its own range instead
using MatchAndScale = void(std::vector<float>& moving, std::vector<float>& reference,
                           const std::vector<std::uint8_t>& mask, const Brightness& ofReference,
                           IntensityMatch match, bool own);

/// On the CPU.
MatchAndScale matchAndScale;

}  // namespace sulcus::registration
