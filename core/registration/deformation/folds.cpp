#include "core/registration/deformation/folds.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/results/maps_kernel.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sulcus::registration {
namespace {

// Each round moves a voxel by this fraction towards the mean of its neighborhood, and only voxels of folded
// cells are moved, so that the surroundings keep their shape. On real pairs, full steps that reach further
// cost several times as much correlation.
constexpr double kRelaxation = 1.0 / 8;
constexpr int kMostRounds = 2000;

/// Calls body(v) for the eight voxels of the cell at `low`, except those before `first` or after `last`.
template <class Body>
void forEachCorner(const Vec3<int>& low, const Vec3<int>& first, const Vec3<int>& last, const Body& body) {
  for (int z = std::max(low.z, first.z); z <= std::min(low.z + 1, last.z); ++z)
    for (int y = std::max(low.y, first.y); y <= std::min(low.y + 1, last.y); ++y)
      for (int x = std::max(low.x, first.x); x <= std::min(low.x + 1, last.x); ++x) body(Vec3<int>{x, y, z});
}

/// The mean of a component around a voxel, with weights ¼, ½, ¼ along each axis.
double meanAround(const VectorField<float>& u, int component, const Vec3<int>& v) {
  const float* const p = u.at(component, v.x, v.y, v.z);
  const std::int64_t sx = u.size.x > 1 ? 1 : 0;
  const std::int64_t sy = u.size.y > 1 ? u.row : 0;
  const std::int64_t sz = u.size.z > 1 ? u.plane : 0;
  double sum = 0;
  for (int k = -1; k <= 1; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        sum += (2 - std::abs(i)) * (2 - std::abs(j)) * (2 - std::abs(k)) * p[i * sx + j * sy + k * sz];
  return sum / 64;
}

void sortUnique(std::vector<std::int64_t>& indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

}  // namespace

Folds foldsOf(const VectorField<float>& u, const Vec3<double>& spacing, const Progress& progress) {
  const Vec3<int> n = u.size, cells = cellsOf(n);
  const Vec3<double> inverse = inverseOf<double>(spacing);
  const FieldArrays field = arraysOf(u);
  std::vector<Folds> planes(cells.z);
  parallelFor(cells.z, 1, progress, [&](std::int64_t k) {
    Folds& plane = planes[k];
    for (int j = 0; j < cells.y; ++j)
      for (int i = 0; i < cells.x; ++i) {
        const double smallest = smallestCellJ(field, {i, j, int(k)}, inverse);
        plane.smallestJ = std::min(plane.smallestJ, smallest);
        if (!(smallest > 0)) plane.cells.push_back(i + std::int64_t(n.x) * (j + n.y * k));
      }
  });
  Folds result;
  for (const Folds& plane : planes) {
    result.smallestJ = std::min(result.smallestJ, plane.smallestJ);
    result.cells.insert(result.cells.end(), plane.cells.begin(), plane.cells.end());
  }
  return result;
}

double unfold(VectorField<float>& u, const Vec3<double>& spacing, Folds& folds, const Progress& progress) {
  if (folds.cells.empty()) return 0;
  std::unordered_map<std::int64_t, Vec3<float>> before;  // original values of the voxels that were moved
  const Vec3<int> n = u.size, cells = cellsOf(n);
  const Vec3<double> inverse = inverseOf<double>(spacing);
  const FieldArrays field = arraysOf(u);
  const Interior xs = interior(n.x), ys = interior(n.y), zs = interior(n.z);
  const auto indexOf = [&](const Vec3<int>& v) {
    return v.x + std::int64_t(n.x) * (v.y + std::int64_t(n.y) * v.z);
  };
  std::vector<std::int64_t> moved, touched;
  std::vector<Vec3<float>> values;
  for (int round = 0; round < kMostRounds && !folds.cells.empty(); ++round) {
    progress.throwIfCancelled();
    moved.clear();
    touched.clear();
    values.clear();
    for (const std::int64_t cell : folds.cells)
      forEachCorner(voxelAt(n, cell), {xs.first, ys.first, zs.first}, {xs.last, ys.last, zs.last},
                    [&](const Vec3<int>& v) { moved.push_back(indexOf(v)); });
    sortUnique(moved);
    for (const std::int64_t i : moved) {
      const Vec3<int> v = voxelAt(n, i);
      Vec3<float> value;
      for (int a = 0; a < 3; ++a)
        value[a] = float((1 - kRelaxation) * *u.at(a, v.x, v.y, v.z) + kRelaxation * meanAround(u, a, v));
      values.push_back(value);
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const Vec3<int> v = voxelAt(n, moved[i]);
      before.try_emplace(moved[i], u(v.x, v.y, v.z));
      u.set(v.x, v.y, v.z, values[i]);
      forEachCorner(v - Vec3<int>{1, 1, 1}, {0, 0, 0}, cells - Vec3<int>{1, 1, 1},
                    [&](const Vec3<int>& c) { touched.push_back(indexOf(c)); });
    }
    sortUnique(touched);
    folds.cells.clear();
    for (const std::int64_t cell : touched)
      if (!(smallestCellJ(field, voxelAt(n, cell), inverse) > 0)) folds.cells.push_back(cell);
  }
  folds = foldsOf(u, spacing, progress);
  double largest = 0;
  for (const auto& [i, old] : before) {
    const Vec3<int> v = voxelAt(n, i);
    largest = std::max(largest, double(norm(u(v.x, v.y, v.z) - old)));
  }
  return largest;
}

}  // namespace sulcus::registration
