#include "core/registration/inverse.h"

#include "core/base/parallel_for.h"
#include "core/registration/registration_body.h"

#include <algorithm>
#include <cmath>

namespace sulcus {
namespace {

constexpr double kArrived = 1e-3;  // voxels
constexpr int kNewtonSteps = 30;
constexpr double kFinestPart = 1.0 / 4096;  // of a cell, in the search that takes over from Newton's method

/// u in voxels of the reference and its derivative, in between voxels.
class Displacement {
 public:
  Displacement(const VectorField<float>& u, const Vec3<double>& spacing) : u_(u) {
    for (int i = 0; i < 3; ++i) {
      inverse_[i] = 1 / spacing[i];
      float largest = 0;
      for (const float v : u.values[std::size_t(i)]) largest = std::max(largest, std::abs(v));
      reach_[i] = largest * inverse_[i];
    }
  }

  struct Sample {
    Vec3<double> value;
    Mat3<double> derivative;  ///< ij = ∂ⱼ uᵢ, voxels per voxel
  };
  Sample at(const Vec3<double>& p) const { return in(cellAt(u_.size, p.x, p.y, p.z)); }

  /// In a cell, also beyond its faces.
  Sample in(const Cell<double>& cell) const {
    const std::int64_t nx = u_.size.x, ny = u_.size.y;
    const std::int64_t at =
        u_.index(int(cell.corner % nx), int(cell.corner / nx % ny), int(cell.corner / (nx * ny)));
    const std::int64_t dx = cell.dx, dy = cell.dy ? u_.row : 0, dz = cell.dz ? u_.plane : 0;
    double value[3], slope[3][3];
    for (int i = 0; i < 3; ++i) {
      const float* const p = u_.values[std::size_t(i)].data() + at;
      const auto along = [](double f, double a, double b) { return a + f * (b - a); };
      const double y00 = along(cell.fx, p[0], p[dx]), y10 = along(cell.fx, p[dy], p[dy + dx]);
      const double y01 = along(cell.fx, p[dz], p[dz + dx]), y11 = along(cell.fx, p[dz + dy], p[dz + dy + dx]);
      const double z0 = along(cell.fy, y00, y10), z1 = along(cell.fy, y01, y11);
      const double s = inverse_[i];
      value[i] = s * along(cell.fz, z0, z1);
      slope[i][0] =
          s * along(cell.fz, along(cell.fy, double(p[dx]) - p[0], double(p[dy + dx]) - p[dy]),
                    along(cell.fy, double(p[dz + dx]) - p[dz], double(p[dz + dy + dx]) - p[dz + dy]));
      slope[i][1] = s * along(cell.fz, y10 - y00, y11 - y01);
      slope[i][2] = s * (z1 - z0);
    }
    return {{value[0], value[1], value[2]},
            {slope[0][0], slope[0][1], slope[0][2], slope[1][0], slope[1][1], slope[1][2], slope[2][0],
             slope[2][1], slope[2][2]}};
  }

  const Vec3<int>& size() const { return u_.size; }
  const Vec3<double>& reach() const { return reach_; }  ///< largest |u| of each axis, voxels

 private:
  const VectorField<float>& u_;
  Vec3<double> inverse_, reach_;
};

/// (I − g)⁻¹ r; 0 where the matrix is singular.
Vec3<double> solved(const Mat3<double>& g, const Vec3<double>& r) {
  const Vec3<double> a{1 - g.xx, -g.yx, -g.zx}, b{-g.xy, 1 - g.yy, -g.zy}, c{-g.xz, -g.yz, 1 - g.zz};
  const double determinant = dot(a, cross(b, c));
  if (std::abs(determinant) < 1e-12) return {};
  return (1 / determinant) * Vec3<double>{dot(r, cross(b, c)), dot(a, cross(r, c)), dot(a, cross(b, r))};
}

struct Found {
  Vec3<double> point;
  double residual = INFINITY;
};

Vec3<double> clamped(Vec3<double> p, const Vec3<int>& size) {
  for (int i = 0; i < 3; ++i) p[i] = std::clamp(p[i], 0.0, double(size[i] - 1));
  return p;
}

/// Newton's method for x − u(x) = y, steps halved until the residual falls.
Found newton(const Displacement& u, const Vec3<double>& y, Vec3<double> x) {
  Found best;
  auto sample = u.at(x);
  Vec3<double> misfit = y - (x - sample.value);
  best = {x, norm(misfit)};
  for (int step = 0; step < kNewtonSteps && best.residual > kArrived; ++step) {
    const Vec3<double> full = solved(sample.derivative, misfit);
    bool fell = false;
    for (double share = 1; share > 0.01 && !fell; share /= 2) {
      x = clamped(best.point + share * full, u.size());
      const auto trial = u.at(x);
      const Vec3<double> left = y - (x - trial.value);
      if (norm(left) < best.residual) {
        best = {x, norm(left)}, sample = trial, misfit = left;
        fell = true;
      }
    }
    if (!fell) break;
  }
  return best;
}

/// Looks for x − u(x) = y within the part of a cell that begins at `low` and is `width` wide, by halves: the
/// image of a part lies within the box of its corners' images.
void searchPart(const Displacement& u, const Vec3<double>& y, Cell<double>& cell, const Vec3<double>& origin,
                const Vec3<double>& low, double width, Found& best) {
  const auto misfitAt = [&](const Vec3<double>& f) {
    cell.fx = f.x, cell.fy = f.y, cell.fz = f.z;
    return y - (origin + f - u.in(cell).value);
  };
  Vec3<double> least{INFINITY, INFINITY, INFINITY}, most = -least;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3<double> f = low;
    for (int a = 0; a < 3; ++a) f[a] += corner >> a & 1 && u.size()[a] > 1 ? width : 0;
    const Vec3<double> misfit = misfitAt(f);
    if (norm(misfit) < best.residual) best = {origin + f, norm(misfit)};
    for (int a = 0; a < 3; ++a)
      least[a] = std::min(least[a], misfit[a]), most[a] = std::max(most[a], misfit[a]);
  }
  for (int a = 0; a < 3; ++a)
    if (least[a] > kArrived || most[a] < -kArrived) return;
  if (width < kFinestPart) return;
  for (int part = 0; part < 8 && best.residual > kArrived; ++part) {
    Vec3<double> f = low;
    bool exists = true;
    for (int a = 0; a < 3; ++a) {
      if (part >> a & 1) f[a] += width / 2;
      exists &= u.size()[a] > 1 || !(part >> a & 1);
    }
    if (exists) searchPart(u, y, cell, origin, f, width / 2, best);
  }
}

/// The same in every cell near: h is continuous and fixed at the border, so one of them holds y.
Found searched(const Displacement& u, const Vec3<double>& y, Found best) {
  const Vec3<int>& size = u.size();
  Vec3<int> low, high;
  for (int i = 0; i < 3; ++i) {
    const int last = std::max(size[i] - 2, 0);
    low[i] = std::clamp(int(std::floor(y[i] - u.reach()[i])), 0, last);
    high[i] = std::clamp(int(std::floor(y[i] + u.reach()[i])), 0, last);
  }
  for (int k = low.z; k <= high.z; ++k)
    for (int j = low.y; j <= high.y; ++j)
      for (int i = low.x; i <= high.x && best.residual > kArrived; ++i) {
        const Vec3<double> origin{double(i), double(j), double(k)};
        Cell<double> cell = cellAt(size, origin.x, origin.y, origin.z);
        searchPart(u, y, cell, origin, {}, 1, best);
      }
  return best;
}

}  // namespace

InverseField invert(const VectorField<float>& u, const Grid& reference, const Grid& templateGrid,
                    const Affine& templateFromReference, const Progress& progress) {
  const Displacement displacement(u, reference.spacing());
  const Affine referenceFromTemplate =
      (templateFromReference * reference.worldFromVoxel).inverse() * templateGrid.worldFromVoxel;  // voxels
  InverseField result{Series<float>(templateGrid, 3), Volume<float>(templateGrid), 0};
  parallelForBlocks(templateGrid.voxels(), 2048, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3<int> v = templateGrid.voxel(i);
      const Vec3<double> z{double(v.x), double(v.y), double(v.z)}, y = referenceFromTemplate.point(z);
      Found found{y, 0};
      bool inside = true;
      for (int a = 0; a < 3; ++a)
        inside &= reference.size[a] == 1 || (y[a] > 0 && y[a] < reference.size[a] - 1);
      if (inside) {
        Vec3<double> plane = y;  // an axis of one voxel is left as it is
        for (int a = 0; a < 3; ++a)
          if (reference.size[a] == 1) plane[a] = 0;
        found = newton(displacement, plane, clamped(plane + displacement.at(plane).value, reference.size));
        if (found.residual > kArrived) found = searched(displacement, plane, found);
        for (int a = 0; a < 3; ++a)
          if (reference.size[a] == 1) found.point[a] = y[a];
      }
      const Vec3<double> d =
          reference.worldFromVoxel.point(found.point) - templateGrid.worldFromVoxel.point(z);
      for (int a = 0; a < 3; ++a) result.displacement.at(i, a) = float(d[a]);
      result.residual.values[std::size_t(i)] = float(found.residual);
    }
  });
  for (const float r : result.residual.values)
    result.largestResidual = std::max(result.largestResidual, double(r));
  return result;
}

}  // namespace sulcus
