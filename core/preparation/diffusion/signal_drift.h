#pragma once

#include "core/image/diffusion/gradients.h"
#include "core/image/volume.h"

#include <vector>

namespace sulcus::preparation {

/// How the brightness of a diffusion series changes during the scan, as the gradients warm the scanner.
struct SignalDrift {
  std::vector<double> gain;  ///< of each volume, relative to the first one; empty: none was found
};

/// The smallest change of brightness that is corrected.
inline constexpr double kLeastDrift = 0.005;

/// Finds the drift from the mean signal of the unweighted volumes: a parabola through at least five of them,
/// a line through three or four. None if they span less than half of the series, if they scatter about as
/// much as they drift, or below kLeastDrift.
///
/// @param gradients  a row for each volume
/// Vos et al., Magnetic Resonance in Medicine 77 (2017) 285.
SignalDrift findDrift(const Series<float>& series, const GradientTable& gradients);

/// Divides each volume by its gain.
Series<float> withoutDrift(Series<float> series, const SignalDrift& drift);

}  // namespace sulcus::preparation
