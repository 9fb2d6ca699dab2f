#pragma once

#include "core/registration/deformation/registration_kernel.h"

// The pull of landmarks on a displacement, for CPU and GPU, in float and double. A landmark is a point p of
// the reference that should be mapped to q; its residual is h(p) − q = p − q − u(p), with u interpolated
// trilinearly between the eight voxels around p. The energy is W/K Σ ½ |residual|² over K landmarks, with
// lengths in voxels of the reference at every level (LevelLandmarks::unit), so that a weight W means the same
// at each. The force is exact: the eight voxels around each landmark get their trilinear shares.
//
// CPU and GPU get the same bits: each voxel adds up its landmarks in the order of their list.

namespace sulcus::registration {

/// A landmark on the grid of a level.
template <class T>
struct LandmarkPlace {
  Vec3<T> offset;  ///< p − q, mm along the voxel axes
  Cell<T> cell;    ///< the voxels around p, as indices into the arrays of a VectorField
};

/// The contribution of a landmark to a voxel around it.
template <class T>
struct LandmarkShare {
  int landmark;
  T weight;  ///< trilinear
};

/// A voxel near landmarks: its index in the arrays of a VectorField, and its shares, first…last − 1.
struct LandmarkVoxel {
  std::int64_t at;
  int first, last;
};

/// h(p) − q in mm along the voxel axes.
///
/// @param ux, uy, uz  the arrays of u, from their first elements on
template <class T>
SULCUS_HD_INLINE Vec3<T> landmarkResidual(const LandmarkPlace<T>& place, const T* ux, const T* uy,
                                          const T* uz) {
  return {place.offset.x - interpolated(ux, place.cell), place.offset.y - interpolated(uy, place.cell),
          place.offset.z - interpolated(uz, place.cell)};
}

/// The contribution of the landmarks to the force of the energy at a voxel, 1/mm.
///
/// @param residual  residual(k) is that of landmark k
/// @param pull      the weight of a landmark in the sum of the energy over voxels, 1/mm²
/// @param gradient  of u at the voxel, with which the force is pulled back; null if it is not
template <class T, class Residual>
SULCUS_HD_INLINE Vec3<T> landmarkForce(const LandmarkVoxel& voxel, const LandmarkShare<T>* shares,
                                       const Residual& residual, T pull, const Mat3<T>* gradient) {
  Vec3<T> sum{0, 0, 0};
  for (int i = voxel.first; i < voxel.last; ++i) {
    const Vec3<T> r = residual(shares[i].landmark);
    const T w = shares[i].weight;
    sum = {fusedMultiplyAdd(w, r.x, sum.x), fusedMultiplyAdd(w, r.y, sum.y), fusedMultiplyAdd(w, r.z, sum.z)};
  }
  const Vec3<T> force{pull * sum.x, pull * sum.y, pull * sum.z};
  return gradient ? pulledBack(*gradient, force) : force;
}

}  // namespace sulcus::registration
