#include "core/registration/folds.h"

#include "core/base/parallel_for.h"
#include "core/registration/registration_body.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

// Each round moves a voxel by this share towards the mean around it, and only voxels of folded cells are
// moved, so that the surroundings keep their shape. On real pairs, full steps that reach further cost several
// times as much correlation.
constexpr double kRelaxation = 1.0 / 8;
constexpr int kMostRounds = 2000;

/// The number of cells along each axis; an axis of one voxel has one.
Vec3<int> cellsOf(const Vec3<int>& size) {
  return {std::max(size.x - 1, 1), std::max(size.y - 1, 1), std::max(size.z - 1, 1)};
}

/// The smallest of the eight J of a cell.
double smallestJ(const VectorField<float>& u, const Vec3<double>& inverse, const Vec3<int>& cell) {
  const Vec3<int>& n = u.size;
  const Vec3<std::int64_t> up{n.x > 1 ? 1 : 0, n.y > 1 ? u.row : 0, n.z > 1 ? u.plane : 0};
  double smallest = INFINITY;
  for (int corner = 0; corner < 8; ++corner) {
    std::int64_t at = u.index(cell.x, cell.y, cell.z);
    Vec3<std::int64_t> stride = up;  // from this corner into the cell
    Vec3<double> signedInverse = inverse;
    for (int a = 0; a < 3; ++a)
      if (corner >> a & 1) at += up[a], stride[a] = -up[a], signedInverse[a] = -inverse[a];
    smallest = std::min(smallest, cornerJ(&u.values[0][std::size_t(at)], &u.values[1][std::size_t(at)],
                                          &u.values[2][std::size_t(at)], stride, signedInverse));
  }
  return smallest;
}

/// Calls body(v) for the eight voxels of the cell at `low`, without those before `first` or after `last`.
template <class Body>
void forEachCorner(const Vec3<int>& low, const Vec3<int>& first, const Vec3<int>& last, const Body& body) {
  for (int z = std::max(low.z, first.z); z <= std::min(low.z + 1, last.z); ++z)
    for (int y = std::max(low.y, first.y); y <= std::min(low.y + 1, last.y); ++y)
      for (int x = std::max(low.x, first.x); x <= std::min(low.x + 1, last.x); ++x) body(Vec3<int>{x, y, z});
}

/// The mean of a component around a voxel, with the weights ¼, ½, ¼ along each axis.
double meanAround(const VectorField<float>& u, int component, const Vec3<int>& v) {
  const float* const p = u.at(component, v.x, v.y, v.z);
  const std::int64_t sx = u.size.x > 1 ? 1 : 0, sy = u.size.y > 1 ? u.row : 0,
                     sz = u.size.z > 1 ? u.plane : 0;
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
  std::vector<Folds> planes(std::size_t(cells.z));
  parallelFor(
      cells.z, progress,
      [&](std::int64_t k) {
        Folds& plane = planes[std::size_t(k)];
        for (int j = 0; j < cells.y; ++j)
          for (int i = 0; i < cells.x; ++i) {
            const double smallest = smallestJ(u, inverse, {i, j, int(k)});
            plane.smallestJ = std::min(plane.smallestJ, smallest);
            if (!(smallest > 0)) plane.cells.push_back(i + std::int64_t(n.x) * (j + n.y * k));
          }
      },
      1);
  Folds result;
  for (const Folds& plane : planes) {
    result.smallestJ = std::min(result.smallestJ, plane.smallestJ);
    result.cells.insert(result.cells.end(), plane.cells.begin(), plane.cells.end());
  }
  return result;
}

double unfold(VectorField<float>& u, const Vec3<double>& spacing, Folds& folds, const Progress& progress) {
  if (folds.cells.empty()) return 0;
  const VectorField<float> before = u;
  const Vec3<int> n = u.size, cells = cellsOf(n);
  const Vec3<double> inverse = inverseOf<double>(spacing);
  const Interior xs = interior(n.x), ys = interior(n.y), zs = interior(n.z);
  const auto placeOf = [&](std::int64_t i) {
    return Vec3<int>{int(i % n.x), int(i / n.x % n.y), int(i / n.x / n.y)};
  };
  const auto indexOf = [&](const Vec3<int>& v) {
    return v.x + std::int64_t(n.x) * (v.y + std::int64_t(n.y) * v.z);
  };
  std::vector<std::int64_t> moved, touched;
  std::vector<Vec3<float>> values;
  for (int round = 0; round < kMostRounds && !folds.cells.empty(); ++round) {
    progress.throwIfCancelled();
    moved.clear(), touched.clear(), values.clear();
    for (const std::int64_t cell : folds.cells)
      forEachCorner(placeOf(cell), {xs.first, ys.first, zs.first}, {xs.last, ys.last, zs.last},
                    [&](const Vec3<int>& v) { moved.push_back(indexOf(v)); });
    sortUnique(moved);
    for (const std::int64_t i : moved) {
      const Vec3<int> v = placeOf(i);
      Vec3<float> value;
      for (int a = 0; a < 3; ++a)
        value[a] = float((1 - kRelaxation) * *u.at(a, v.x, v.y, v.z) + kRelaxation * meanAround(u, a, v));
      values.push_back(value);
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const Vec3<int> v = placeOf(moved[i]);
      u.set(v.x, v.y, v.z, values[i]);
      forEachCorner(v - Vec3<int>{1, 1, 1}, {0, 0, 0}, cells - Vec3<int>{1, 1, 1},
                    [&](const Vec3<int>& c) { touched.push_back(indexOf(c)); });
    }
    sortUnique(touched);
    folds.cells.clear();
    for (const std::int64_t cell : touched)
      if (!(smallestJ(u, inverse, placeOf(cell)) > 0)) folds.cells.push_back(cell);
  }
  folds = foldsOf(u, spacing, progress);
  double largest = 0;
  for (int z = zs.first; z <= zs.last; ++z)
    for (int y = ys.first; y <= ys.last; ++y)
      for (int x = xs.first; x <= xs.last; ++x)
        largest = std::max(largest, double(norm(u(x, y, z) - before(x, y, z))));
  return largest;
}

}  // namespace sulcus::registration
