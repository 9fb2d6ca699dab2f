#pragma once

#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// The series of many voxels, one below the other: what changes in all of them at once is not activation.
namespace sulcus::preparation {

/// Voxels for a carpet plot, evenly chosen, from the top of the image to its bottom.
///
/// @param voxels    of the image
/// @param isInside  whether one belongs to the brain
/// @param most      how many are chosen at most
std::vector<std::int64_t> carpetVoxels(std::int64_t voxels, const std::function<bool(std::int64_t)>& isInside,
                                       int most);

/// The series of voxels, one row each, minus their means and in units of their standard deviations; NaN where
/// there is no value or nothing changes.
std::vector<std::vector<double>> carpetOf(const Series<float>& series, std::span<const std::int64_t> voxels);

}  // namespace sulcus::preparation
