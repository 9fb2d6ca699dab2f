#pragma once

#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

// The series of many voxels, one below the other: what changes in all of them at once is no activation.
namespace sulcus::preparation {

/// Voxels that a carpet shows, evenly chosen, from the top of the image to its bottom.
///
/// @param voxels    of the image
/// @param isInside  whether one belongs to the brain
/// @param most      how many are chosen at most
std::vector<std::int64_t> carpetVoxels(std::int64_t voxels, const std::function<bool(std::int64_t)>& isInside,
                                       int most);

/// The series of voxels, each about its mean and in its standard deviations, a row each; NaN where there is
/// no value or nothing changes.
std::vector<std::vector<double>> carpetOf(const Series<float>& series, std::span<const std::int64_t> voxels);

}  // namespace sulcus::preparation
