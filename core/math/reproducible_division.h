#pragma once

#include "core/base/host_device.h"

#include <cmath>

namespace sulcus {

/// a / b with the bits of a / b, for 2⁻¹⁰⁰ < |b| < 2¹⁰⁰, where the quotient is not above 2¹⁰⁰ and a is 0, or
/// not below 2⁻¹⁰⁰, or b is a power of 2; of a quotient that is 0 the sign is left open. The GPU is spared
/// the branches with which its division cares for all others.
SULCUS_HD inline double quotient(double a, double b) { return a / b; }
SULCUS_HD inline float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
  // An estimate of 1/b, nearer by a step of Newton's, then two steps for a/b: what the division itself does.
  float estimate;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(estimate) : "f"(b));
  const float inverse = ::fmaf(::fmaf(-b, estimate, 1), estimate, estimate);
  const float near = a * inverse, nearer = ::fmaf(inverse, ::fmaf(-b, near, a), near);
  return ::fmaf(inverse, ::fmaf(-b, nearer, a), nearer);
#else
  return a / b;
#endif
}

}  // namespace sulcus
