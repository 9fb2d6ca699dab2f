#pragma once

#include "core/registration/registration.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// Mean of the values that count: what lies above is the foreground.
double foregroundThreshold(const std::vector<float>& values, const std::vector<std::uint8_t>& counts);

/// Value below which `share` (0…1) of the counting values above the threshold lie; the threshold when there
/// are none.
double foregroundQuantile(const std::vector<float>& values, const std::vector<std::uint8_t>& counts,
                          double threshold, double share);

/// Makes the template's intensities like the reference's, voxel counts as given.
/// histogram: piecewise linear, so that the foregrounds have equal quantiles; linear: equal mean and spread
/// of the foreground; off: unchanged.
void matchIntensities(std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& counts, IntensityMatch match);

}  // namespace sulcus
