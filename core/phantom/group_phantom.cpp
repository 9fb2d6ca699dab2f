#include "core/phantom/group_phantom.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/distributions.h"
#include "core/math/philox.h"
#include "core/phantom/centered_grid.h"

#include <cmath>
#include <cstdio>

namespace sulcus::phantom {
namespace {

constexpr double kSpacing = 3;  // mm

/// The voxels of a ball; center and radius relative to the size, from the center.
bool isInBall(const Grid& grid, std::int64_t i, const Vec3<double>& center, double radius) {
  const auto v = grid.voxel(i);
  const double size = grid.size.x;
  const auto along = [&](int voxel, double from) { return (voxel + 0.5) / size - 0.5 - from; };
  return std::hypot(along(v.x, center.x), along(v.y, center.y), along(v.z, center.z)) <= radius;
}

/// Patients and controls alternate.
bool isPatient(std::int64_t person) { return person % 2 == 0; }

float normalAt(int seed, int person, std::int64_t voxel) {
  std::uint32_t words[4]{std::uint32_t(voxel), std::uint32_t(voxel >> 32), std::uint32_t(person),
                         0x67726f75u};
  philox(words, PhiloxKey(std::uint64_t(seed)));
  float x, y;
  normalPair(words[0], words[1], x, y);
  return x;
}

/// Smooths along one axis by a Gaussian whose weights have the Euclidean norm 1, so that the variance is
/// preserved away from the border.
void smoothAlong(Series<float>& map, int axis, double sigma) {
  const int reach = int(std::ceil(3 * sigma));
  std::vector<double> weights;
  double squares = 0;
  for (int k = -reach; k <= reach; ++k) {
    weights.push_back(std::exp(-0.5 * k * k / (sigma * sigma)));
    squares += weights.back() * weights.back();
  }
  const Vec3<int> size = map.grid.size;
  const std::vector<float> from = map.values;
  for (std::int64_t i = 0; i < map.grid.voxels(); ++i) {
    auto v = map.grid.voxel(i);
    const int at = v[axis];
    double sum = 0, inside = 0;
    for (int k = -reach; k <= reach; ++k) {
      if (at + k < 0 || at + k >= size[axis]) continue;
      v[axis] = at + k;
      const double weight = weights[std::size_t(k) + std::size_t(reach)];
      sum += weight * from[map.grid.index(v.x, v.y, v.z)];
      inside += weight * weight;
    }
    map.values[i] = float(sum / std::sqrt(inside));
  }
}

/// The map of person n: smooth noise, and the effect in a patient.
std::shared_ptr<const Series<float>> mapOfPerson(const GroupPhantomOptions& options, std::int64_t n,
                                                 const Mask& mask, const Mask& truth) {
  auto map = std::make_shared<Series<float>>(mask.grid, 1);
  std::vector<float>& values = map->values;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = normalAt(options.seed, int(n), std::int64_t(i));
  for (int axis = 0; axis < 3 && options.smoothness > 0; ++axis) smoothAlong(*map, axis, options.smoothness);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (truth.values[i] && isPatient(n)) values[i] += float(options.effect);
    if (!mask.values[i]) values[i] = 0;
  }
  return map;
}

}  // namespace

GroupPhantom makeGroupPhantom(const GroupPhantomOptions& options) {
  GroupPhantom phantom;
  const Grid grid = centeredCube(options.size, kSpacing);
  auto mask = std::make_shared<Mask>(grid), truth = std::make_shared<Mask>(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    mask->values[i] = isInBall(grid, i, {0, 0, 0}, 0.45);
    truth->values[i] =
        isInBall(grid, i, {0.18, 0.1, 0.05}, 0.13) || isInBall(grid, i, {-0.2, -0.12, 0}, 0.08);
  }
  phantom.maps.resize(options.people);
  phantom.columns = {"participant_id", "group", "age"};
  for (int n = 0; n < options.people; ++n) {
    char name[32];
    std::snprintf(name, sizeof name, "sub-%02d", n + 1);
    phantom.names.emplace_back(name);
    const int age = 20 + int(std::abs(normalAt(options.seed, n, -1)) * 20);
    phantom.rows.push_back({name, isPatient(n) ? "patients" : "controls", std::to_string(age)});
  }
  parallelFor(options.people, 1, {},
              [&](std::int64_t n) { phantom.maps[n] = mapOfPerson(options, n, *mask, *truth); });
  phantom.mask = std::move(mask);
  phantom.truth = std::move(truth);
  return phantom;
}

}  // namespace sulcus::phantom
