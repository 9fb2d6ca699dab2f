#pragma once

#include "core/registration/deformation/registration_kernel.h"

namespace sulcus::bench {

/// [T(x − u) − R] ∇T(x − u) with central differences of the displaced template, as in equation 10; 1/mm.
SULCUS_HD_INLINE Vec3<float> imageForce(const float* warped, const float* reference, Vec3<int> size, int x,
                                        int y, int z, Vec3<float> half) {
  const registration::Texel<float> t = registration::texelAt(warped, size, x, y, z, half);
  const float m =
      registration::misfit(t.v[0], reference[x + std::int64_t(size.x) * (y + std::int64_t(size.y) * z)]);
  return {m * t.v[1], m * t.v[2], m * t.v[3]};
}

}  // namespace sulcus::bench
