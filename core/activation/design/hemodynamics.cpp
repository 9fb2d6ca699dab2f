#include "core/activation/design/hemodynamics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {
namespace {

constexpr int kPeakShape = 6, kUndershootShape = 16;
constexpr double kUndershootRatio = 6;
constexpr double kScale = 1 / (1 - 1 / kUndershootRatio);  // makes the integral 1
constexpr double kResponseEnd = 100;                       // s; canonicalStep is then 1 up to rounding
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

/// −∂/∂d, at d = 1, of the gamma density of shape 6/d and scale d, which has the mean 6 for every d.
double narrowing(double t) {
  constexpr double kDigamma = 1.7061176684318;  // ψ(6) = 1 + 1/2 + 1/3 + 1/4 + 1/5 − γ
  return gammaDensity(kPeakShape, t) * (kPeakShape * (std::log(t) + 1 - kDigamma) - t);
}

/// Its integral from `begin` to `end`, by five-point Gaussian quadrature on pieces of at most a second, with
/// an error of 1e-9.
double narrowingBetween(double begin, double end) {
  static constexpr double kAt[] = {0, 0.538469310105683, 0.906179845938664};
  static constexpr double kWeight[] = {0.568888888888889, 0.478628670499366, 0.236926885056189};
  begin = std::clamp(begin, 0.0, kResponseEnd);
  end = std::clamp(end, 0.0, kResponseEnd);
  const int pieces = int(std::ceil(end - begin));
  double sum = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const double half = (end - begin) / (2 * pieces), middle = begin + (2 * piece + 1) * half;
    for (int i = 0; i < 3; ++i)
      for (const double at : {kAt[i] * half, -kAt[i] * half})
        sum += (i == 0 ? 0.5 : 1) * kWeight[i] * half * narrowing(middle + at);
  }
  return sum;
}

/// The response to a stimulus from `begin` to `end` seconds ago, begin < end.
double blockResponse(ResponsePart part, double begin, double end) {
  switch (part) {
    case ResponsePart::canonical:
      return canonicalStep(end) - canonicalStep(begin);
    case ResponsePart::timeDerivative:
      return canonicalResponse(end) - canonicalResponse(begin);
    case ResponsePart::dispersionDerivative:
      break;
  }
  return kScale * narrowingBetween(begin, end);
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

double responsePart(ResponsePart part, double seconds) {
  if (part == ResponsePart::canonical) return canonicalResponse(seconds);
  if (!(seconds > 0) || seconds > kLatest) return 0;
  if (part == ResponsePart::dispersionDerivative) return kScale * narrowing(seconds);
  const auto slope = [seconds](int shape) {
    return gammaDensity(shape - 1, seconds) - gammaDensity(shape, seconds);
  };
  return kScale * (slope(kPeakShape) - slope(kUndershootShape) / kUndershootRatio);
}

std::vector<double> expectedSignal(std::span<const Event> events, std::span<const double> times,
                                   ResponsePart part) {
  std::vector<double> signal(times.size(), 0.0);
  const auto scanAfter = [&](double seconds) {
    return std::size_t(std::ranges::lower_bound(times, seconds) - times.begin());
  };
  for (const Event& event : events)
    for (std::size_t scan = scanAfter(event.onset),
                     end = scanAfter(event.onset + event.duration + kResponseEnd);
         scan < end; ++scan) {
      const double since = times[scan] - event.onset;
      const double response =
          event.duration > 0 ? blockResponse(part, since - event.duration, since) : responsePart(part, since);
      signal[scan] += event.amplitude * response;
    }
  return signal;
}

std::vector<double> expectedSignal(std::span<const Event> events, double secondsPerVolume, int scans,
                                   ResponsePart part, double sliceTime) {
  std::vector<double> times(scans);
  for (int scan = 0; scan < scans; ++scan) times[scan] = (scan + sliceTime) * secondsPerVolume;
  return expectedSignal(events, times, part);
}

}  // namespace sulcus::activation
