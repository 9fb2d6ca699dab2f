#include "core/phantom/acquisition.h"

#include "core/math/statistics.h"
#include "core/phantom/registration_draws.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sulcus::phantom {
namespace {

constexpr double kLargestBias = 0.3;  // of the logarithm

double meanOf(const Series<float>& image) {
  return std::accumulate(image.values.begin(), image.values.end(), 0.0) / double(image.values.size());
}

/// Maps a fraction of the range to a fraction of the range in the other contrast, linear between the points
/// and constant beyond.
double remapped(double share) {
  constexpr std::array<std::array<double, 2>, 6> points{
      {{0, 0}, {0.2, 1}, {0.4, 0.9}, {0.65, 0.5}, {0.9, 0.3}, {1.2, 0.4}}};
  if (share <= points.front()[0]) return points.front()[1];
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto &a = points[i - 1], &b = points[i];
    if (share < b[0]) return a[1] + (share - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
  }
  return points.back()[1];
}

}  // namespace

IntensityRange intensityRange(const Series<float>& image) {
  const double mean = meanOf(image);
  std::vector<float> above;
  std::copy_if(image.values.begin(), image.values.end(), std::back_inserter(above),
               [&](float value) { return value > mean; });
  if (above.empty()) return {};
  return {*std::min_element(image.values.begin(), image.values.end()), lowerQuantile(above, 0.98)};
}

double inContrast(double value, const IntensityRange& range, PhantomContrast contrast) {
  const double span = range.bright - range.dark;
  switch (contrast) {
    case PhantomContrast::none:
      return value;
    case PhantomContrast::remapped:
      return range.dark + span * remapped((value - range.dark) / span);
    case PhantomContrast::inverted:
      return range.dark + range.bright - value;
  }
  return value;
}

ReceiveField::ReceiveField(int seed, double strength) : strength_(strength) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto u = uniforms(seed, Draw::bias, axis);
    cycles_[axis] = 0.5 + 0.3 * u[0];
    phase_[axis] = 2 * std::numbers::pi * u[1];
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const int n = 17;
  for (int i = 0; i < n * n * n; ++i) {
    const auto at = [&](int k) { return double(k) / (n - 1) - 0.5; };
    const double value = wave({at(i % n), at(i / n % n), at(i / (n * n))});
    low = std::min(low, value);
    high = std::max(high, value);
  }
  lowest_ = low;
  highest_ = high;
}

double ReceiveField::wave(const Vec3<double>& position) const {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum += std::sin(2 * std::numbers::pi * cycles_[axis] * position[int(axis)] + phase_[axis]);
  return sum;
}

double ReceiveField::operator()(const Vec3<double>& position) const {
  const double share = 2 * (wave(position) - lowest_) / (highest_ - lowest_) - 1;
  return std::exp(strength_ * kLargestBias * share);
}

BrightPart brightPart(const Series<float>& image) {
  const double mean = meanOf(image);
  Vec3<double> sum, square;
  double count = 0;
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i) {
    if (!(image.at(i, 0) > mean)) continue;
    const Vec3<double> p = image.grid.positionOf(i);
    sum = sum + p;
    ++count;
    for (int axis = 0; axis < 3; ++axis) square[axis] += p[axis] * p[axis];
  }
  BrightPart part;
  if (count == 0) return part;
  part.center = (1 / count) * sum;
  for (int axis = 0; axis < 3; ++axis)
    part.spread[axis] =
        std::sqrt(std::max(0.0, square[axis] / count - part.center[axis] * part.center[axis]));
  return part;
}

SignalLoss::SignalLoss(const BrightPart& brain, double strength)
    : width_((brain.spread.x + brain.spread.y + brain.spread.z) / 9), strength_(strength) {
  const auto at = [&](double right, double front, double up) {
    return brain.center + Vec3<double>{right * brain.spread.x, front * brain.spread.y, up * brain.spread.z};
  };
  centers_ = {at(0, 1.2, -1), at(0.8, 0.8, -1.1)};
}

double SignalLoss::operator()(const Vec3<double>& position) const {
  double left = 1;
  for (std::size_t blob = 0; blob < centers_.size(); ++blob) {
    const Vec3<double> d = position - centers_[blob];
    const double depth = blob == 0 ? strength_ : 0.7 * strength_;
    if (width_ > 0) left *= 1 - depth * std::exp(-0.5 * dot(d, d) / (width_ * width_));
  }
  return left;
}

}  // namespace sulcus::phantom
