#pragma once

#include <array>

namespace sulcus {

/// How a value between voxels is found.
enum class Interpolation {
  linear,   ///< trilinear interpolation
  nearest,  ///< the value of the nearest voxel
  label,    ///< the value with the largest sum of trilinear weights; of equal ones the lowest value
  cubic,    ///< a cubic B-spline through the values, within their range
};
/// What they are called on the command line and in records, in their order.
inline constexpr std::array<const char*, 4> kInterpolationNames = {"linear", "nearest", "label", "cubic"};

}  // namespace sulcus
