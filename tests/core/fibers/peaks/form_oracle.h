#pragma once

#include "core/fibers/models/tensor_kernel.h"
#include "core/image/volume.h"
#include "tests/support/for_each_seed.h"

#include <cmath>
#include <numbers>
#include <vector>

// The critical points of forms on the sphere, in double and by a different method than the program's:
// Newton's method on the gradient from a dense grid of starts, checked by Euler's formula.

namespace sulcus::test {

enum class Critical { maximum, minimum, saddle };

struct CriticalPoint {
  Vec3<double> x;
  double value;
  Critical kind;
  double flatness;  ///< the smaller absolute curvature
};

template <int Order>
using Entries = std::array<double, tensorEntries(Order)>;

/// The form Σ weight · (direction · g)^Order.
template <int Order>
void addLobe(Entries<Order>& a, double weight, const Vec3<double>& d) {
  constexpr auto classes = indexClasses<Order>();
  for (std::size_t u = 0; u < a.size(); ++u)
    a[u] += weight * std::pow(d.x, classes[u].i) * std::pow(d.y, classes[u].j) * std::pow(d.z, classes[u].k);
}

inline double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
}

inline Vec3<double> randomDirection(Rng& rng) {
  return normalized(Vec3<double>{normal(rng), normal(rng), normal(rng)});
}

/// A form with one to three lobes and noise, like a fiber orientation distribution.
template <int Order>
Entries<Order> fiberLikeForm(Rng& rng, double noise = 0.03) {
  Entries<Order> a{};
  const int lobes = rng.integer(1, 3);
  for (int l = 0; l < lobes; ++l) addLobe<Order>(a, rng.uniform(0.4, 1), randomDirection(rng));
  constexpr auto classes = indexClasses<Order>();
  for (std::size_t u = 0; u < a.size(); ++u) a[u] += noise * normal(rng) / std::sqrt(classes[u].multiplicity);
  return a;
}

/// The forms as a tensor image of n × 1 × 1 voxels.
template <int Order>
Series<float> tensorImage(const std::vector<Entries<Order>>& forms) {
  Grid grid;
  grid.size = {int(forms.size()), 1, 1};
  Series<float> image(grid, tensorEntries(Order));
  for (std::size_t v = 0; v < forms.size(); ++v)
    for (int u = 0; u < image.count; ++u) image.at(std::int64_t(v), u) = float(forms[v][u]);
  return image;
}

template <int Order>
struct LocalForm {
  double value;
  Vec3<double> e1, e2;   ///< tangent basis
  double g1, g2;         ///< gradient over Order
  double h11, h12, h22;  ///< Hessian over Order
};

template <int Order>
LocalForm<Order> localForm(const Entries<Order>& a, const Vec3<double>& x) {
  LocalForm<Order> f;
  const auto m = fibers::tensorMatrix<Order>(a, x);
  const auto y = m * x;
  f.value = dot(x, y);
  f.e1 = normalized(std::abs(x.x) < 0.6 ? cross(x, Vec3<double>{1, 0, 0}) : cross(x, Vec3<double>{0, 1, 0}));
  f.e2 = cross(x, f.e1);
  f.g1 = dot(y, f.e1);
  f.g2 = dot(y, f.e2);
  f.h11 = (Order - 1) * dot(f.e1, m * f.e1) - f.value;
  f.h12 = (Order - 1) * dot(f.e1, m * f.e2);
  f.h22 = (Order - 1) * dot(f.e2, m * f.e2) - f.value;
  return f;
}

/// All critical points on the sphere, one of each ±x, from `count` starts.
template <int Order>
std::vector<CriticalPoint> criticalPoints(const Entries<Order>& a, int count = 1200) {
  std::vector<CriticalPoint> points;
  for (int s = 0; s < count; ++s) {
    const double z = (s + 0.5) / count, r = std::sqrt(1 - z * z), phi = 2.399963229728653 * s;
    Vec3<double> x{r * std::cos(phi), r * std::sin(phi), z};
    for (int step = 0; step < 60; ++step) {
      const auto f = localForm<Order>(a, x);
      const double det = f.h11 * f.h22 - f.h12 * f.h12;
      double d1 = -(f.h22 * f.g1 - f.h12 * f.g2) / det, d2 = -(f.h11 * f.g2 - f.h12 * f.g1) / det;
      const double length = std::hypot(d1, d2);
      if (!(length < 1e6)) break;
      const double shorten = length > 0.1 ? 0.1 / length : 1;
      x = normalized(x + (shorten * d1) * f.e1 + (shorten * d2) * f.e2);
      if (length > 1e-11) continue;
      bool known = false;
      for (const auto& p : points) known = known || norm(cross(p.x, x)) < 1e-5;
      if (known) break;
      const double mean = (f.h11 + f.h22) / 2, spread = std::hypot((f.h11 - f.h22) / 2, f.h12);
      const auto kind = det < 0 ? Critical::saddle : mean < 0 ? Critical::maximum : Critical::minimum;
      points.push_back({x, f.value, kind, std::abs(std::abs(mean) - spread)});
      break;
    }
  }
  return points;
}

/// The number of maxima + minima − saddles over pairs ±x, which is 1 on the sphere if none is missing.
inline int eulerCharacteristic(const std::vector<CriticalPoint>& points) {
  int sum = 0;
  for (const auto& p : points) sum += p.kind == Critical::saddle ? -1 : 1;
  return sum;
}

inline double degreesBetween(const Vec3<double>& a, const Vec3<double>& b) {
  return std::atan2(norm(cross(a, b)), std::abs(dot(a, b))) * 180 / std::numbers::pi;
}

}  // namespace sulcus::test
