#pragma once

#include "core/activation/events.h"

#include <span>
#include <vector>

namespace sulcus {

/// The canonical hemodynamic response to an impulse, 1/s: two gamma densities of shape 6 and 16 and scale 1
/// s, the second a sixth of the first, scaled to an integral of 1,
///   h(t) = 6/5 (t⁵ e⁻ᵗ / 5! − t¹⁵ e⁻ᵗ / (6 · 15!)),   0 for t ≤ 0.
/// It peaks at 5 s and is lowest near 15.7 s. Parameters of SPM's spm_hrf (delays 6 and 16 s, ratio 6);
/// Friston et al., NeuroImage 7 (1998) 30; Glover, NeuroImage 9 (1999) 416.
double canonicalResponse(double seconds);

/// The response to a stimulus that began `seconds` ago and lasts: the integral of canonicalResponse, in
/// closed form. Tends to 1.
double canonicalStep(double seconds);

/// Expected signal of each scan, at its middle (SPM's reference and that of slice-timing correction): the sum
/// of the events' responses. A block is convolved exactly, without a time grid: step(t − onset) − step(t −
/// onset − duration), so a long one reaches its amplitude. An impulse has the area of a block of one second
/// (SPM's convention).
std::vector<double> expectedSignal(std::span<const Event> events, double secondsPerVolume, int scans);

}  // namespace sulcus
