#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/registration/preparation/cubic_spline_kernel.h"

#include <span>
#include <vector>

namespace sulcus::registration {

/// An image with cubic B-spline interpolation.
class SplineImage {
 public:
  /// @param values  one per voxel, x fastest
  SplineImage(std::vector<float> values, const Vec3<int>& size, const Progress& progress);
  SplineView view() const { return {coefficients_.data(), size_, low_, high_}; }

 private:
  std::vector<float> coefficients_;
  Vec3<int> size_;
  float low_ = 0, high_ = 0;
};

/// Whether a map from voxels to voxels takes each to the center of another, so that nothing is interpolated.
bool leadsToVoxels(const Affine& voxelFromVoxel);

}  // namespace sulcus::registration
