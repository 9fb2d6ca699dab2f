#pragma once

#include "core/image/grids/interpolate.h"
#include "core/math/simd.h"

#include <cstdint>

// The tissue at a position: nerve fibers begin and end in gray matter.

namespace sulcus::tracts {

/// The most frequent tissue at a position. Lines pass through white matter, may end in deep gray matter, end
/// where they reach the cortex, and enter nothing else.
enum class Tissue : std::uint8_t { cortex, deepGray, white, other };
inline constexpr int kTissueShares = 3;  ///< that are interpolated; the rest is `other`

/// Shares of tissues, for both processors; owns nothing.
struct TissueView {
  const float* shares;  ///< kTissueShares for each voxel; null: unknown
  Vec3<int> size;
  float voxelFromWorld[3][4];

  /// The interpolated shares at a position in mm; 0 outside.
  SULCUS_HD_INLINE void sharesAt(const Vec3<float>& p, float (&sum)[kTissueShares]) const {
    for (int n = 0; n < kTissueShares; ++n) sum[n] = 0;
    float v[3];
    for (int axis = 0; axis < 3; ++axis) {
      const float(&m)[4] = voxelFromWorld[axis];
      v[axis] = fusedMultiplyAdd(m[0], p.x, fusedMultiplyAdd(m[1], p.y, fusedMultiplyAdd(m[2], p.z, m[3])));
    }
    if (!isInImage(size, Vec3<float>{v[0], v[1], v[2]})) return;
    const auto corners = cornersOf(cellAt<std::int64_t>(size, v[0], v[1], v[2]));
    for (int c = 0; c < 8; ++c)
      for (int n = 0; n < kTissueShares; ++n)
        sum[n] = fusedMultiplyAdd(corners.w[c], shares[corners.at[c] * kTissueShares + n], sum[n]);
  }

  SULCUS_HD_INLINE Tissue at(const Vec3<float>& p) const {
    float s[kTissueShares];
    sharesAt(p, s);
    if (s[0] + s[1] + s[2] < 0.5f) return Tissue::other;
    if (s[0] >= s[1] && s[0] >= s[2]) return Tissue::cortex;
    return s[1] >= s[2] ? Tissue::deepGray : Tissue::white;
  }

  /// The border of the cortex between a position outside it and one inside it, to 1/128 of their distance.
  SULCUS_HD_INLINE Vec3<float> borderOfCortex(Vec3<float> before, Vec3<float> in) const {
    for (int n = 0; n < 7; ++n) {
      const Vec3<float> middle{0.5f * (before.x + in.x), 0.5f * (before.y + in.y), 0.5f * (before.z + in.z)};
      (at(middle) == Tissue::cortex ? in : before) = middle;
    }
    return in;
  }
};

}  // namespace sulcus::tracts
