#pragma once

#include "core/registration/preparation/intensity_kernel.h"
#include "core/registration/registration.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sulcus::registration {

// Images here are one value per voxel. Masks have as many values; voxels where they are 0 do not count.

/// The smallest and the largest value in a mask; ±∞ where it is empty.
struct Extremes {
  float low = std::numeric_limits<float>::infinity(), high = -low;
};
Extremes extremes(const std::vector<float>& values, const std::vector<std::uint8_t>& mask);

/// The mean of an image in a mask. What is brighter is the foreground.
double foregroundThreshold(const std::vector<float>& values, const std::vector<std::uint8_t>& mask);

/// The value below which a `share` (0…1) of the foreground lies, that is of the voxels in the mask that are
/// brighter than the threshold; the threshold itself when there are none.
double foregroundQuantile(const std::vector<float>& values, const std::vector<std::uint8_t>& mask,
                          double threshold, double share);

/// How large the object is that fills a region: the root mean square over the axes of more than one voxel of
/// the standard deviation of its points along them, mm, as the unit of an ObjectFrame; 45 mm of a head. 0
/// where the region is empty.
double objectRadius(const std::vector<std::uint8_t>& region, const Grid& grid);

/// The range of an image in a mask.
using FindBrightness = Brightness(const std::vector<float>& values, const std::vector<std::uint8_t>& mask);

/// Finds it on the CPU.
FindBrightness brightnessOf;

/// Makes the intensities of the pre-aligned template `moving` like those of the reference. Both lie on one
/// grid; the foregrounds in the mask are compared and all voxels are changed.
///   histogram  a piecewise linear map that makes the quantiles of both foregrounds equal
///   linear     a linear map that makes mean and standard deviation of both foregrounds equal
///   off        no change
void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& mask, IntensityMatch match);

/// matchIntensities(), which then divides both images by the reference's range.
///
/// @param own  the template is divided by its own range instead
using MatchAndScale = void(std::vector<float>& moving, std::vector<float>& reference,
                           const std::vector<std::uint8_t>& mask, const Brightness& ofReference,
                           IntensityMatch match, bool own);

/// Does that on the CPU.
MatchAndScale matchAndScale;

}  // namespace sulcus::registration
