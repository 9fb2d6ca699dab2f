#include "core/fibers/peaks/starts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Random123/philox.h>

namespace sulcus::fibers {

namespace {

/// Vectors by component, so that the compiler can use vector registers.
struct Vectors {
  std::vector<double> x, y, z;
  explicit Vectors(int count) : x(count), y(count), z(count) {}
};

/// Adds the forces of charge j and its opposite on all charges, at the distances √near2 and √far2:
/// (x_i − x_j) / near³ + (x_i + x_j) / far³, without the component along x_i.
void addForcesOf(std::size_t j, const Vectors& charge, Vectors& force) {
  const auto& [x, y, z] = charge;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double c = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
    const double near2 = std::max(2 - 2 * c, 0.0), far2 = std::max(2 + 2 * c, 0.0);
    const double near3 = near2 * std::sqrt(near2), far3 = far2 * std::sqrt(far2);
    const double weight = near2 < 1e-9 ? 0 : (near3 - far3) / (near3 * far3);
    force.x[i] += weight * x[j];
    force.y[i] += weight * y[j];
    force.z[i] += weight * z[j];
  }
}

}  // namespace

std::vector<Vec3<double>> evenDirections(int count) {
  // Starts from a spiral of equal areas and takes steps along the repulsive forces, each at most a fraction
  // of the mean distance.
  Vectors charge(count);
  auto& [x, y, z] = charge;
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    z[i] = (i + 0.5) / count;
    const double r = std::sqrt(1 - z[i] * z[i]);
    x[i] = r * std::cos(golden * i);
    y[i] = r * std::sin(golden * i);
  }
  const double meanDistance = std::sqrt(2 * std::numbers::pi / std::max(1, count));
  const int steps = std::clamp(3'000'000 / (count * count + 1), 10, 100);
  for (int step = 0; step < steps; ++step) {
    Vectors force(count);
    auto& [fx, fy, fz] = force;
    for (int j = 0; j < count; ++j) addForcesOf(std::size_t(j), charge, force);
    double largest = 0;
    for (int i = 0; i < count; ++i) {
      const double radial = fx[i] * x[i] + fy[i] * y[i] + fz[i] * z[i];
      fx[i] -= radial * x[i];
      fy[i] -= radial * y[i];
      fz[i] -= radial * z[i];
      largest = std::max(largest, norm(Vec3<double>{fx[i], fy[i], fz[i]}));
    }
    if (largest == 0) break;
    const double length = 0.2 * meanDistance * (1 - double(step) / steps) / largest;
    for (int i = 0; i < count; ++i) {
      const auto moved =
          normalized(Vec3<double>{x[i] + length * fx[i], y[i] + length * fy[i], z[i] + length * fz[i]});
      x[i] = moved.x;
      y[i] = moved.y;
      z[i] = moved.z;
    }
  }
  std::vector<Vec3<double>> directions(count);
  for (int i = 0; i < count; ++i) {
    directions[i] = {x[i], y[i], z[i]};
    if (z[i] < 0) directions[i] = -directions[i];
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
