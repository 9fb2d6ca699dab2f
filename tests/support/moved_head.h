#pragma once

#include "core/base/parallel/parallel_for.h"
#include "core/image/volume.h"
#include "core/phantom/registration_shapes.h"
#include "core/preparation/motion_parameters.h"

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace sulcus::test {

/// A functional scan of a head that moves as it is told: each value is the mean of a formula over the voxel,
/// so that nothing was interpolated.
struct MovedHead {
  Vec3<int> size{40, 48, 24};
  Vec3<double> spacing{4.2, 4.2, 5};
  double noise = 0;       ///< s.d., in percent of the head's brightness
  double activation = 0;  ///< in percent, in two spots, in volumes of which `active` is not 0
  double radius = 15;     ///< of the spots, mm
  std::vector<double> active = {};
  std::uint64_t seed = 1;
  Vec3<double> headShift{};  ///< of the head at rest from the middle of the view, mm

  Grid grid() const {
    Grid grid;
    grid.size = size;
    for (int i = 0; i < 3; ++i)
      grid.worldFromVoxel.m[std::size_t(i)][std::size_t(i)] = spacing[i],
      grid.worldFromVoxel.t[i] = -0.5 * spacing[i] * (size[i] - 1);
    return grid;
  }

  /// The head at a point, mm, by a formula.
  double at(const Vec3<double>& p, double activity) const {
    constexpr double kUnit = 3;  // mm of a voxel of the phantom
    const Vec3<double> q = p - headShift;
    if (norm(Vec3<double>{q.x / 80, q.y / 94, q.z / 85}) > 1) return 0;
    double value = phantom::headAt((1 / kUnit) * q, 64);
    if (activity != 0)
      for (const Vec3<double>& spot : {Vec3<double>{30, -45, 8}, Vec3<double>{-38, 5, 20}})
        if (norm(q - spot) < radius) value *= 1 + 0.01 * activation * activity;
    return value;
  }

  Series<float> scan(const std::vector<preparation::Motion>& motion) const {
    const Grid grid = this->grid();
    Series<float> series(grid, int(motion.size()));
    parallelFor(
        series.count, {},
        [&](std::int64_t volume) {
          const int v = int(volume);
          std::mt19937_64 random(seed + std::uint64_t(1000 * v));
          std::normal_distribution<double> normal;
          const Affine rest = preparation::volumeFromRest(motion[std::size_t(v)], grid.center()).inverse();
          const double activity = active.empty() ? 0 : active[std::size_t(v)];
          for (std::int64_t i = 0; i < grid.voxels(); ++i) {
            const Vec3<int> voxel = grid.voxel(i);
            double sum = 0;
            for (int part = 0; part < 8; ++part) {
              const auto off = [](bool up) { return up ? 0.25 : -0.25; };
              const Vec3<double> p{voxel.x + off(part & 1), voxel.y + off(part & 2), voxel.z + off(part & 4)};
              sum += at(rest.point(grid.worldFromVoxel.point(p)), activity);
            }
            series.at(i, v) = float(sum / 8 + 0.01 * noise * phantom::kBright * normal(random));
          }
        },
        1);
    return series;
  }
};

}  // namespace sulcus::test
