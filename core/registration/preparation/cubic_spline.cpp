#include "core/registration/preparation/cubic_spline.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::registration {

SplineImage::SplineImage(std::vector<float> values, const Vec3<int>& size, const Progress& progress)
    : coefficients_(std::move(values)), size_(size) {
  const auto [low, high] = std::minmax_element(coefficients_.begin(), coefficients_.end());
  low_ = *low;
  high_ = *high;
  float* const image = coefficients_.data();
  const std::int64_t row = size.x, plane = row * size.y;
  parallelFor(size.z, 1, progress, [&](std::int64_t z) {
    for (int y = 0; y < size.y; ++y) takeSplineCoefficients(image + z * plane + y * row, size.x, 1);
    for (int x = 0; x < size.x; ++x) takeSplineCoefficients(image + z * plane + x, size.y, row);
  });
  parallelFor(size.y, 1, progress, [&](std::int64_t y) {
    for (int x = 0; x < size.x; ++x) takeSplineCoefficients(image + y * row + x, size.z, plane);
  });
}

bool leadsToVoxels(const Affine& voxelFromVoxel) {
  const auto whole = [](double a) { return a == std::round(a); };
  for (const auto& row : voxelFromVoxel.m)
    if (!std::all_of(row.begin(), row.end(), whole)) return false;
  return whole(voxelFromVoxel.t.x) && whole(voxelFromVoxel.t.y) && whole(voxelFromVoxel.t.z);
}

}  // namespace sulcus::registration
