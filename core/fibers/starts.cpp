#include "core/fibers/starts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Random123/philox.h>

namespace sulcus {

std::vector<Vec3<double>> evenDirections(int count) {
  // A spiral of equal areas, then steps along the repulsion, each at most a part of the mean distance.
  std::vector<Vec3<double>> x(count), force(count);
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double z = (i + 0.5) / count, r = std::sqrt(1 - z * z);
    x[i] = {r * std::cos(golden * i), r * std::sin(golden * i), z};
  }
  const double apart = std::sqrt(2 * std::numbers::pi / std::max(1, count));
  const int steps = std::clamp(10'000'000 / (count * count + 1), 10, 100);
  for (int step = 0; step < steps; ++step) {
    std::fill(force.begin(), force.end(), Vec3<double>{});
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < i; ++j) {
        const double c = dot(x[i], x[j]);
        const double near2 = 2 - 2 * c, far2 = 2 + 2 * c;
        const double near = 1 / (near2 * std::sqrt(near2)), far = 1 / (far2 * std::sqrt(far2));
        force[i] = force[i] + near * (x[i] - x[j]) + far * (x[i] + x[j]);
        force[j] = force[j] + near * (x[j] - x[i]) + far * (x[j] + x[i]);
      }
    double largest = 0;
    for (int i = 0; i < count; ++i) {
      force[i] = force[i] - dot(force[i], x[i]) * x[i];
      largest = std::max(largest, norm(force[i]));
    }
    if (largest == 0) break;
    const double length = 0.2 * apart * (1 - double(step) / steps) / largest;
    for (int i = 0; i < count; ++i) x[i] = normalized(x[i] + length * force[i]);
  }
  for (auto& d : x)
    if (d.z < 0) d = -d;
  return x;
}

std::vector<Vec3<double>> randomDirections(int count, int seed) {
  std::vector<Vec3<double>> x(count);
  r123::Philox4x32 philox;
  for (int i = 0; i < count; ++i) {
    const auto bits = philox({{std::uint32_t(i), 0, 0, 0}}, {{std::uint32_t(seed), 0}});
    const auto uniform = [](std::uint32_t b) { return (b + 0.5) / 2147483648.0 - 1; };  // never 0
    x[i] = normalized(Vec3<double>{uniform(bits[0]), uniform(bits[1]), uniform(bits[2])});
  }
  return x;
}

std::vector<Vec3<float>> startingDirections(const FiberOptions& options) {
  const auto exact = options.startSet == StartSet::sphere ? evenDirections(options.starts)
                                                          : randomDirections(options.starts, options.seed);
  std::vector<Vec3<float>> starts;
  for (const auto& d : exact) starts.push_back({float(d.x), float(d.y), float(d.z)});
  return starts;
}

}  // namespace sulcus
