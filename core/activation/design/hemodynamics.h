#pragma once

#include "core/activation/design/events.h"

#include <span>
#include <vector>

namespace sulcus::activation {

/// The canonical hemodynamic response to an impulse at time `seconds` after it, in 1/s: the difference of two
/// gamma densities of shape 6 and 16 and scale 1 s, the second divided by six, scaled to an integral of 1,
///   h(t) = 6/5 (t⁵ e⁻ᵗ / 5! − t¹⁵ e⁻ᵗ / (6 · 15!)),   0 for t ≤ 0.
/// It peaks at 5 s and has its minimum near 15.7 s. Parameters of SPM's spm_hrf (delays 6 and 16 s, ratio 6);
/// Friston et al., NeuroImage 7 (1998) 30; Glover, NeuroImage 9 (1999) 416.
double canonicalResponse(double seconds);

/// The response to a stimulus that began `seconds` ago and has not ended: the integral of canonicalResponse
/// from 0, in closed form. It approaches 1.
double canonicalStep(double seconds);

/// What an event is convolved with: the canonical response h, or one of two derivatives that model a response
/// that is earlier (with respect to time, h') or narrower (−∂h/∂d, where d is the scale of the first gamma
/// density of shape 6/d, 1 in h). SPM uses finite differences of 1 s and 0.01 for them.
enum class ResponsePart { canonical, timeDerivative, dispersionDerivative };

/// The value at time `seconds` after an impulse, in 1/s, 1/s² and 1/s.
double responsePart(ResponsePart part, double seconds);

/// The expected signal of each scan: the sum of the responses to the events at the time that its volume
/// represents. Blocks are convolved exactly, without a time grid: amplitude · (step(t − onset) − step(t −
/// onset − duration)) with the integral `step` of the part, so the canonical response to a long block reaches
/// its amplitude. An impulse has the area of a block of one second (SPM's convention).
///
/// @param times  the time that each scan represents, ascending, s after the beginning of the first
std::vector<double> expectedSignal(std::span<const Event> events, std::span<const double> times,
                                   ResponsePart part = ResponsePart::canonical);
/// The signal at `scans` evenly spaced scans, each at the fraction `sliceTime` of its repetition time; 0.5 is
/// the reference of SPM and of slice-timing correction by fMRIPrep.
std::vector<double> expectedSignal(std::span<const Event> events, double secondsPerVolume, int scans,
                                   ResponsePart part = ResponsePart::canonical, double sliceTime = 0.5);

}  // namespace sulcus::activation
