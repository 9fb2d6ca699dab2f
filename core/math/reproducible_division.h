#pragma once

#include "core/base/host_device.h"

#include <cmath>

namespace sulcus {

/// a / b with the same bits as the division, for 2⁻¹⁰⁰ < |b| < 2¹⁰⁰ and a quotient of at most 2¹⁰⁰, where a
/// is 0 or not below 2⁻¹⁰⁰, or b is a power of 2; the sign of a zero quotient is unspecified. Spares the GPU
/// the branches by which its division handles all other cases.
SULCUS_HD inline double quotient(double a, double b) { return a / b; }
SULCUS_HD inline float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
  // An estimate of 1/b, refined by a Newton step, then two steps for a/b, as the division itself does.
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
