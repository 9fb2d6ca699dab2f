#pragma once

#include "core/registration/results/maps_kernel.h"

// Solves x − u(x) = y for one position y, for CPU and GPU, with the same bits: see registration_kernel.h.

namespace sulcus::registration {

/// The largest residual of a solution, voxels.
inline constexpr double kConverged = 1e-3;

/// u and its derivative, interpolated between voxels, in voxels of the reference.
struct VoxelDisplacement {
  FieldArrays field;
  Vec3<double> inverse;  ///< 1/spacing, 1/mm

  struct Sample {
    Vec3<double> value;
    Mat3<double> derivative;  ///< ij = ∂ⱼ uᵢ, voxels per voxel
  };
  /// The sample at a position in voxels, clamped to the grid.
  SULCUS_HD_INLINE Sample at(Vec3<double> p) const { return in(cellAt(field.size, p.x, p.y, p.z)); }

  /// The sample in a cell of the reference's grid; where its fractions leave 0…1 the interpolant is
  /// extrapolated.
  SULCUS_HD_INLINE Sample in(const Cell<double>& cell) const {
    const Cell<double> c = cellInField(field, cell);
    const auto component = [&](const float* u, double perMillimeter) {
      const float* const p = u + c.corner;
      const auto found = interpolatedWithSlope(
          c, [&](int i, int j, int k) { return double(p[i * c.dx + j * c.dy + k * c.dz]); },
          [](double f, double a, double b) { return interpolatedBetween(f, a, b); });
      return ValueAndSlope<double>{perMillimeter * found.value, perMillimeter * found.dx,
                                   perMillimeter * found.dy, perMillimeter * found.dz};
    };
    const auto x = component(field.u[0], inverse.x), y = component(field.u[1], inverse.y),
               z = component(field.u[2], inverse.z);
    return {{x.value, y.value, z.value}, {x.dx, x.dy, x.dz, y.dx, y.dy, y.dz, z.dx, z.dy, z.dz}};
  }
};

/// (I − g)⁻¹ r; 0 where I − g is singular.
SULCUS_HD_INLINE Vec3<double> solved(const Mat3<double>& g, Vec3<double> r) {
  const Vec3<double> a{1 - g.xx, -g.yx, -g.zx}, b{-g.xy, 1 - g.yy, -g.zy}, c{-g.xz, -g.yz, 1 - g.zz};
  const double determinant = dot(a, cross(b, c));
  if (magnitude(determinant) < 1e-12) return {};
  return (1 / determinant) * Vec3<double>{dot(r, cross(b, c)), dot(a, cross(r, c)), dot(a, cross(b, r))};
}

/// A point x of the reference, in voxels, and the length of x − u(x) − y.
struct Preimage {
  Vec3<double> point;
  double residual = INFINITY;
};

/// Solves x − u(x) = y by Newton's method starting at x; steps are halved until the residual decreases.
SULCUS_HD_INLINE Preimage newton(const VoxelDisplacement& u, Vec3<double> y, Vec3<double> x) {
  constexpr int kSteps = 30;
  const Vec3<int>& size = u.field.size;
  auto sample = u.at(x);
  Vec3<double> misfit = y - (x - sample.value);
  Preimage best{x, norm(misfit)};
  for (int step = 0; step < kSteps && best.residual > kConverged; ++step) {
    const Vec3<double> full = solved(sample.derivative, misfit);
    bool fell = false;
    for (double share = 1; share > 0.01 && !fell; share /= 2) {
      const Vec3<double> next = best.point + share * full;
      x = {clampedToAxis(next.x, size.x), clampedToAxis(next.y, size.y), clampedToAxis(next.z, size.z)};
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

/// The equation to be solved for a voxel of the template.
struct InverseProblem {
  Vec3<double> y;      ///< the target position, in voxels of the reference
  Vec3<double> plane;  ///< the same, moved into the plane along an axis of one voxel
  bool inside;         ///< outside of the reference's grid u = 0
};

/// @param referenceFromTemplate  in voxels
SULCUS_HD_INLINE InverseProblem inverseProblem(const AffineMap& referenceFromTemplate,
                                               Vec3<int> referenceSize, Vec3<int> voxel) {
  InverseProblem problem{referenceFromTemplate.point(placeOf(voxel)), {}, true};
  problem.plane = problem.y;
  for (int a = 0; a < 3; ++a) {
    const double y = problem.y[a];
    if (referenceSize[a] == 1)
      problem.plane[a] = 0;
    else if (!(y > 0 && y < referenceSize[a] - 1))
      problem.inside = false;
  }
  return problem;
}

/// The solution by Newton's method.
SULCUS_HD_INLINE Preimage preimageOf(const InverseProblem& problem, const VoxelDisplacement& u) {
  if (!problem.inside) return {problem.y, 0};
  const Vec3<int>& size = u.field.size;
  const Vec3<double> start = problem.plane + u.at(problem.plane).value;
  return newton(
      u, problem.plane,
      {clampedToAxis(start.x, size.x), clampedToAxis(start.y, size.y), clampedToAxis(start.z, size.z)});
}

/// The displacement from a voxel of the template to its point in the reference, mm, RAS+.
SULCUS_HD_INLINE Vec3<double> displacementToReference(const InverseProblem& problem, Vec3<double> found,
                                                      Vec3<int> referenceSize,
                                                      const AffineMap& worldFromReferenceVoxel,
                                                      const AffineMap& worldFromTemplateVoxel,
                                                      Vec3<int> voxel) {
  for (int a = 0; a < 3; ++a)
    if (referenceSize[a] == 1) found[a] = problem.y[a];
  return worldFromReferenceVoxel.point(found) - worldFromTemplateVoxel.point(placeOf(voxel));
}

}  // namespace sulcus::registration
