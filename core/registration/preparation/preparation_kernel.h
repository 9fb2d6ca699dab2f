#pragma once

#include "core/registration/results/maps_kernel.h"

// The preparation of the images at one voxel, for CPU and GPU, which get the same bits: see
// registration_kernel.h. Positions are in voxels, and in double.

namespace sulcus::registration {

/// Normalizes a smoothed image whose voxels outside of a mask were 0; returns the image itself where no voxel
/// of the mask is near.
///
/// @param soft, share  the smoothed image and the smoothed mask
SULCUS_HD_INLINE float withinMask(float soft, float share, float image) {
  return share > 0.01f ? soft / share : image;
}

/// The position of a voxel of one grid in another with the same first voxel.
///
/// @param step  from one voxel to the next, in voxels of the other grid
SULCUS_HD_INLINE Vec3<double> steppedPlace(Vec3<int> voxel, Vec3<double> step) {
  return {voxel.x * step.x, voxel.y * step.y, voxel.z * step.z};
}

/// The displacement of a coarser level, interpolated at a position.
SULCUS_HD_INLINE Vec3<float> interpolatedAt(const FieldArrays& coarse, Vec3<double> p) {
  const Cell<double> c = cellInField(coarse, cellAt(coarse.size, p.x, p.y, p.z));
  return {float(interpolated(coarse.u[0], c)), float(interpolated(coarse.u[1], c)),
          float(interpolated(coarse.u[2], c))};
}

}  // namespace sulcus::registration
