#include "core/phantom/registration_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::phantom {
namespace {

/// The fraction of a voxel that lies inside a surface: 0…1 over about two voxels, for its center's depth in
/// voxels.
double partialVolume(double depth) { return 1 / (1 + std::exp(-depth / 0.45)); }
double blend(double a, double b, double share) { return a + share * (b - a); }

/// The approximate depth of p below the surface of an ellipsoid with these half axes, all in voxels.
double depthIn(const Vec3<double>& p, const Vec3<double>& center, const Vec3<double>& axes) {
  const Vec3<double> q{(p.x - center.x) / axes.x, (p.y - center.y) / axes.y, (p.z - center.z) / axes.z};
  const double r = norm(q);
  if (r < 1e-9) return std::min({axes.x, axes.y, axes.z});
  const Vec3<double> slope{q.x / axes.x, q.y / axes.y, q.z / axes.z};
  return (1 - r) * r / norm(slope);
}

}  // namespace

double headAt(const Vec3<double>& p, int size) {
  const double unit = size / 64.0;
  const Vec3<double> head = unit * Vec3<double>{22.5, 27, 24};
  const auto shell = [&](double inwards) {
    return depthIn(p, {}, {head.x - unit * inwards, head.y - unit * inwards, head.z - unit * inwards});
  };
  double value = blend(0, 0.75 * kBright, partialVolume(shell(0)));  // scalp
  value = blend(value, 0.08 * kBright, partialVolume(shell(2)));     // skull
  value = blend(value, 0.2 * kBright, partialVolume(shell(4)));      // fluid
  const double brain = shell(5.5);

  // Sulci: sheets where a sum of products of waves vanishes, down to half the distance to the center.
  const double k = 2 * std::numbers::pi / (14 * unit);
  const auto wave = [](double x, double y, double z) {
    return std::sin(x) * std::cos(y) + std::sin(y) * std::cos(z) + std::sin(z) * std::cos(x);
  };
  const double sheet =
      std::abs(wave(k * p.x, k * p.y, k * p.z)) / (1.2 * k);  // approximate distance to one, voxels
  const double sulcus = sheet + std::max(0.0, 0.7 * (brain - 8 * unit));
  const double cortex = std::min(brain, sulcus);  // depth below the surface of the cortex
  // White matter is not quite uniform: bundles.
  const double q = 0.8 * k;
  double tissue = kBright * (0.93 + 0.05 * wave(q * p.y + 1, q * p.z + 2, q * p.x + 3));
  tissue = blend(0.62 * kBright, tissue, partialVolume(cortex - 2.2 * unit));
  tissue = blend(tissue, 0.2 * kBright, partialVolume(0.7 * unit - sulcus));
  const auto pair = [&](const Vec3<double>& center, const Vec3<double>& axes) {
    const Vec3<double> mirrored{std::abs(p.x), p.y, p.z};
    return depthIn(mirrored, unit * center, unit * axes);
  };
  tissue = blend(tissue, 0.72 * kBright, partialVolume(pair({6.5, 2, -1}, {3, 5, 3.5})));   // nuclei
  tissue = blend(tissue, 0.66 * kBright, partialVolume(pair({2.5, -4, -3}, {2.5, 3, 3})));  // thalami
  tissue = blend(tissue, 0.2 * kBright, partialVolume(pair({2.5, -1, 3.5}, {2, 8, 3})));    // ventricles
  return blend(value, tissue, partialVolume(brain));
}

bool isInBrain(const Vec3<double>& p, int size) {
  const double unit = size / 64.0;
  return depthIn(p, {}, unit * Vec3<double>{17, 21.5, 18.5}) > 0;
}

double diskAt(const Vec3<double>& p, int size, bool isC) {
  const double unit = size / 64.0, r = std::hypot(p.x, p.y);
  double depth = std::min(20 * unit - r, 8 * unit - std::abs(p.z));
  if (isC) {
    const double slot = std::min(6 * unit - std::abs(p.y), p.x);
    depth = std::min(depth, -std::max(9 * unit - r, slot));
  }
  return kBright * partialVolume(depth);
}

}  // namespace sulcus::phantom
