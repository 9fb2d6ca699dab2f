#include "core/fibers/peaks/starts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Random123/philox.h>

namespace sulcus::fibers {

namespace {

/// Charges on the sphere, each of which repels the others and their opposites. Coordinates are stored by
/// component so that the compiler can use vector registers.
struct Charges {
  int count;
  std::vector<double> x, y, z;     ///< unit vectors
  std::vector<double> fx, fy, fz;  ///< forces

  /// Places the charges on a spiral of equal areas.
  explicit Charges(int number)
      : count(number), x(number), y(number), z(number), fx(number), fy(number), fz(number) {
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < count; ++i) {
      z[i] = (i + 0.5) / count;
      const double r = std::sqrt(1 - z[i] * z[i]);
      x[i] = r * std::cos(golden * i);
      y[i] = r * std::sin(golden * i);
    }
  }

  /// Adds the forces of charge j and of its opposite, at the distances √near2 and √far2: (x_i − x_j) / near³
  /// + (x_i + x_j) / far³, without the component along x_i, which keepTangential() removes.
  void addForcesOf(int j) {
    for (int i = 0; i < count; ++i) {
      const double c = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
      const double near2 = std::max(2 - 2 * c, 0.0), far2 = std::max(2 + 2 * c, 0.0);
      const double near3 = near2 * std::sqrt(near2), far3 = far2 * std::sqrt(far2);
      const double weight = near2 < 1e-9 ? 0 : (near3 - far3) / (near3 * far3);
      fx[i] += weight * x[j];
      fy[i] += weight * y[j];
      fz[i] += weight * z[j];
    }
  }

  /// Takes away the forces' components along the charges' directions, and returns the largest force.
  double keepTangential() {
    double largest = 0;
    for (int i = 0; i < count; ++i) {
      const double radial = fx[i] * x[i] + fy[i] * y[i] + fz[i] * z[i];
      fx[i] -= radial * x[i];
      fy[i] -= radial * y[i];
      fz[i] -= radial * z[i];
      largest = std::max(largest, norm(Vec3<double>{fx[i], fy[i], fz[i]}));
    }
    return largest;
  }

  /// Moves the charges along their forces.
  void move(double length) {
    for (int i = 0; i < count; ++i) {
      const auto moved =
          normalized(Vec3<double>{x[i] + length * fx[i], y[i] + length * fy[i], z[i] + length * fz[i]});
      x[i] = moved.x;
      y[i] = moved.y;
      z[i] = moved.z;
    }
  }
};

}  // namespace

std::vector<Vec3<double>> evenDirections(int count) {
  Charges charges(count);
  const double meanDistance = std::sqrt(2 * std::numbers::pi / std::max(1, count));
  const int steps = std::clamp(3'000'000 / (count * count + 1), 10, 100);
  for (int step = 0; step < steps; ++step) {
    for (auto* f : {&charges.fx, &charges.fy, &charges.fz}) std::ranges::fill(*f, 0.0);
    for (int j = 0; j < count; ++j) charges.addForcesOf(j);
    const double largest = charges.keepTangential();
    if (largest == 0) break;
    charges.move(0.2 * meanDistance * (1 - double(step) / steps) / largest);
  }
  std::vector<Vec3<double>> directions(count);
  for (int i = 0; i < count; ++i) {
    directions[i] = {charges.x[i], charges.y[i], charges.z[i]};
    if (directions[i].z < 0) directions[i] = -directions[i];
  }
  return directions;
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
  starts.reserve(exact.size());
  for (const auto& d : exact) starts.push_back({float(d.x), float(d.y), float(d.z)});
  return starts;
}

}  // namespace sulcus::fibers
