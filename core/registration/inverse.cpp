#include "core/registration/inverse.h"

#include "core/base/parallel_for.h"
#include "core/registration/registration_body.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

constexpr double kConverged = 1e-3;  // largest residual of a point that is found, voxels
constexpr int kNewtonSteps = 30;
constexpr double kFinestPart = 1.0 / 4096;  // width at which the search within a cell ends, in cells

/// u and its derivative, interpolated between voxels, in voxels of the reference.
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
  /// At a position in voxels, moved into the grid.
  Sample at(const Vec3<double>& p) const { return in(cellAt(u_.size, p.x, p.y, p.z)); }

  /// In a cell of the reference's grid. Its shares may leave 0…1; the cell's interpolant is then continued.
  Sample in(const Cell<double>& cell) const {
    const Cell<double> c = cellInField(u_, cell);
    const auto between = [](double f, double a, double b) { return a + f * (b - a); };
    ValueAndSlope<double> u[3];
    for (int a = 0; a < 3; ++a) {
      const float* const p = u_.values[std::size_t(a)].data() + c.corner;
      const auto corner = [&](int i, int j, int k) { return double(p[i * c.dx + j * c.dy + k * c.dz]); };
      u[a] = interpolatedWithSlope(c, corner, between);
      u[a] = {inverse_[a] * u[a].value, inverse_[a] * u[a].dx, inverse_[a] * u[a].dy, inverse_[a] * u[a].dz};
    }
    return {{u[0].value, u[1].value, u[2].value},
            {u[0].dx, u[0].dy, u[0].dz, u[1].dx, u[1].dy, u[1].dz, u[2].dx, u[2].dy, u[2].dz}};
  }

  const Vec3<int>& size() const { return u_.size; }
  /// The largest |u| along each axis, voxels.
  const Vec3<double>& reach() const { return reach_; }

 private:
  const VectorField<float>& u_;
  Vec3<double> inverse_;  ///< 1/spacing, 1/mm
  Vec3<double> reach_;
};

/// (I − g)⁻¹ r; 0 where I − g is singular.
Vec3<double> solved(const Mat3<double>& g, const Vec3<double>& r) {
  const Vec3<double> a{1 - g.xx, -g.yx, -g.zx}, b{-g.xy, 1 - g.yy, -g.zy}, c{-g.xz, -g.yz, 1 - g.zz};
  const double determinant = dot(a, cross(b, c));
  if (std::abs(determinant) < 1e-12) return {};
  return (1 / determinant) * Vec3<double>{dot(r, cross(b, c)), dot(a, cross(r, c)), dot(a, cross(b, r))};
}

/// A point x of the reference, in voxels, and the length of x − u(x) − y.
struct Preimage {
  Vec3<double> point;
  double residual = INFINITY;
};

Vec3<double> clamped(Vec3<double> p, const Vec3<int>& size) {
  for (int i = 0; i < 3; ++i) p[i] = std::clamp(p[i], 0.0, double(size[i] - 1));
  return p;
}

/// Solves x − u(x) = y by Newton's method from x on; a step is halved until the residual falls.
Preimage newton(const Displacement& u, const Vec3<double>& y, Vec3<double> x) {
  Preimage best;
  auto sample = u.at(x);
  Vec3<double> misfit = y - (x - sample.value);
  best = {x, norm(misfit)};
  for (int step = 0; step < kNewtonSteps && best.residual > kConverged; ++step) {
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

/// Solves x − u(x) = y in a part of a cell by bisection: a part whose image cannot contain y is left out,
/// since the image of a part lies within the box around the images of its corners.
///
/// @param origin      the lowest voxel of the cell
/// @param low, width  the part: its lowest corner and its edge, in cells from `origin` on
void searchPart(const Displacement& u, const Vec3<double>& y, Cell<double>& cell, const Vec3<double>& origin,
                const Vec3<double>& low, double width, Preimage& best) {
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
    if (least[a] > kConverged || most[a] < -kConverged) return;
  if (width < kFinestPart) return;
  for (int part = 0; part < 8 && best.residual > kConverged; ++part) {
    Vec3<double> f = low;
    bool exists = true;
    for (int a = 0; a < 3; ++a) {
      if (part >> a & 1) f[a] += width / 2;
      exists &= u.size()[a] > 1 || !(part >> a & 1);
    }
    if (exists) searchPart(u, y, cell, origin, f, width / 2, best);
  }
}

/// Solves x − u(x) = y by searching all cells within reach of y. As h is continuous and does not move the
/// border, one of them contains a solution.
Preimage searched(const Displacement& u, const Vec3<double>& y, Preimage best) {
  const Vec3<int>& size = u.size();
  Vec3<int> low, high;
  for (int i = 0; i < 3; ++i) {
    const int last = std::max(size[i] - 2, 0);
    low[i] = std::clamp(int(std::floor(y[i] - u.reach()[i])), 0, last);
    high[i] = std::clamp(int(std::floor(y[i] + u.reach()[i])), 0, last);
  }
  for (int k = low.z; k <= high.z; ++k)
    for (int j = low.y; j <= high.y; ++j)
      for (int i = low.x; i <= high.x && best.residual > kConverged; ++i) {
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
  const Affine referenceFromTemplate = (templateFromReference * reference.worldFromVoxel).inverse() *
                                       templateGrid.worldFromVoxel;  // in voxels
  InverseField result{Series<float>(templateGrid, 3), Volume<float>(templateGrid), 0};
  parallelForBlocks(templateGrid.voxels(), 2048, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3<int> v = templateGrid.voxel(i);
      const Vec3<double> z{double(v.x), double(v.y), double(v.z)}, y = referenceFromTemplate.point(z);
      Preimage found{y, 0};
      bool inside = true;
      for (int a = 0; a < 3; ++a)
        inside &= reference.size[a] == 1 || (y[a] > 0 && y[a] < reference.size[a] - 1);
      if (inside) {
        Vec3<double> plane = y;  // y moved into the plane along an axis of one voxel
        for (int a = 0; a < 3; ++a)
          if (reference.size[a] == 1) plane[a] = 0;
        found = newton(displacement, plane, clamped(plane + displacement.at(plane).value, reference.size));
        if (found.residual > kConverged) found = searched(displacement, plane, found);
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

}  // namespace sulcus::registration
