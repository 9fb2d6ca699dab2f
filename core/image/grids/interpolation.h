#pragma once

#include <array>

namespace sulcus {

/// How a value between voxels is found.
enum class Interpolation {
  linear,   ///< trilinear interpolation
  nearest,  ///< the value of the nearest voxel
  label,    ///< the value with the largest sum of trilinear weights; of equal sums the lowest value
  cubic,    ///< an interpolating cubic B-spline, limited to the range of the values
};
/// Their names on the command line and in provenance, in enum order.
inline constexpr std::array<const char*, 4> kInterpolationNames = {"linear", "nearest", "label", "cubic"};

}  // namespace sulcus
