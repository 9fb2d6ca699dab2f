#include "core/phantom/moved_head.h"

#include "core/base/parallel/parallel_for.h"
#include "core/phantom/centered_grid.h"
#include "core/phantom/registration_shapes.h"

#include <algorithm>
#include <numbers>
#include <random>

namespace sulcus::phantom {

Grid MovedHead::grid() const { return centeredGrid(size, spacing); }

namespace {

/// Brightness in a functional scan of what is so bright in headAt().
double functionalValue(double value, bool isInside) {
  constexpr double kFluid = 0.2 * kBright, kFall = 0.6, kScalp = 0.35;
  return isInside ? kBright - kFall * (value - kFluid) : kScalp * value;
}

}  // namespace

double MovedHead::at(const Vec3<double>& p, double activity) const {
  constexpr double kUnit = 3;  // mm of a voxel of the phantom
  const Vec3<double> q = p - headShift;
  if (norm(Vec3<double>{q.x / 80, q.y / 94, q.z / 85}) > 1) return 0;
  double value = headAt((1 / kUnit) * q, 64);
  if (functional) value = functionalValue(value, isInBrain((1 / kUnit) * q, 64));
  if (activity != 0)
    for (const Vec3<double>& spot : {Vec3<double>{30, -45, 8}, Vec3<double>{-38, 5, 20}})
      if (norm(q - spot) < radius) value *= 1 + 0.01 * activation * activity;
  return value;
}

Series<float> MovedHead::scan(const std::vector<preparation::Motion>& motion,
                              const Progress& progress) const {
  const Grid grid = this->grid();
  Series<float> series(grid, int(motion.size()));
  parallelFor(series.count, 1, progress, [&](std::int64_t volume) {
    const int v = int(volume);
    std::mt19937_64 random(seed + std::uint64_t(1000 * v));
    std::normal_distribution<double> normal;
    const Affine rest = preparation::volumeFromRest(motion[v], grid.center()).inverse();
    const double activity = active.empty() ? 0 : active[v];
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<int> voxel = grid.voxel(i);
      double sum = 0;
      for (int part = 0; part < 8; ++part) {
        const auto off = [](bool up) { return up ? 0.25 : -0.25; };
        const Vec3<double> p{voxel.x + off(part & 1), voxel.y + off(part & 2), voxel.z + off(part & 4)};
        sum += at(rest.point(grid.worldFromVoxel.point(p)), activity);
      }
      series.at(i, v) = float(sum / 8 + 0.01 * noise * kBright * normal(random));
    }
  });
  return series;
}

std::vector<preparation::Motion> walkOf(int volumes, double mm, std::uint64_t seed) {
  constexpr double kDegree = std::numbers::pi / 180;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<preparation::Motion> motion(volumes);
  double largest = 0;
  for (std::size_t v = 1; v < motion.size(); ++v) {
    motion[v] = motion[v - 1];
    for (int i = 0; i < 3; ++i) {
      motion[v].shift[i] += normal(random);
      motion[v].turn[i] += kDegree * normal(random);
    }
    largest = std::max(largest, norm(motion[v].shift));
  }
  if (!(largest > 0)) return motion;
  for (preparation::Motion& one : motion) {
    one.shift = (mm / largest) * one.shift;
    one.turn = (mm / largest) * one.turn;
  }
  return motion;
}

}  // namespace sulcus::phantom
