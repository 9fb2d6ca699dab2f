#include "core/activation/hemodynamics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {
namespace {

constexpr int kPeakShape = 6, kUndershootShape = 16;
constexpr double kUndershootRatio = 6;
constexpr double kScale = 1 / (1 - 1 / kUndershootRatio);  // makes the integral 1
constexpr double kResponseEnd = 100;                       // s; by then canonicalStep is 1 to the last digit
constexpr double kLatest = 700;  // s; soon after, e⁻ᵗ leaves the range of double

/// Density at t of the gamma distribution with an integer shape and scale 1: e⁻ᵗ tⁱ/i!, i = shape − 1.
double gammaDensity(int shape, double t) {
  double density = std::exp(-t);
  for (int i = 1; i < shape; ++i) density *= t / i;
  return density;
}

/// Its integral from 0 to t: 1 − e⁻ᵗ Σ tⁱ/i!, i < shape.
double gammaIntegral(int shape, double t) {
  double term = 1, sum = 1;
  for (int i = 1; i < shape; ++i) sum += term *= t / i;
  return 1 - std::exp(-t) * sum;
}

}  // namespace

double canonicalResponse(double seconds) {
  if (!(seconds > 0) || seconds > kLatest) return 0;
  return kScale *
         (gammaDensity(kPeakShape, seconds) - gammaDensity(kUndershootShape, seconds) / kUndershootRatio);
}

double canonicalStep(double seconds) {
  if (!(seconds > 0)) return 0;
  if (seconds > kLatest) return 1;
  return kScale *
         (gammaIntegral(kPeakShape, seconds) - gammaIntegral(kUndershootShape, seconds) / kUndershootRatio);
}

std::vector<double> expectedSignal(std::span<const Event> events, double secondsPerVolume, int scans) {
  std::vector<double> signal(std::size_t(scans), 0.0);
  const auto scanAfter = [&](double seconds) {
    return int(std::clamp(std::ceil(seconds / secondsPerVolume - 0.5), 0.0, double(scans)));
  };
  for (const Event& event : events)
    for (int scan = scanAfter(event.onset); scan < scanAfter(event.onset + event.duration + kResponseEnd);
         ++scan) {
      const double since = (scan + 0.5) * secondsPerVolume - event.onset;
      const double response = event.duration > 0
                                  ? canonicalStep(since) - canonicalStep(since - event.duration)
                                  : canonicalResponse(since);
      signal[std::size_t(scan)] += event.amplitude * response;
    }
  return signal;
}

}  // namespace sulcus::activation
