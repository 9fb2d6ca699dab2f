#pragma once

#include "core/math/simd.h"

namespace sulcus {

/// ln x for normal x > 0 in double, within 2 ulp. Only additions, multiplications and a division are rounded,
/// so that it gives the same bits on every machine and on the GPU.
SULCUS_HD_INLINE double reproducibleLog(double x) {
  // x = 2ᵏ m with m in [√½, √2), and ln m = 2 (s + s³/3 + s⁵/5 + …), s = (m − 1)/(m + 1), |s| < 0.1716.
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  constexpr std::uint64_t half = 0x3fe6a09e667f3bcd;  // √½
  const auto k = std::int64_t(bits - half) >> 52;
  bits -= std::uint64_t(k) << 52;
  double m;
  memcpy(&m, &bits, sizeof m);
  const double s = (m - 1) / (m + 1), z = s * s;
  double p = 2 / 21.0;
  p = fusedMultiplyAdd(p, z, 2 / 19.0);
  p = fusedMultiplyAdd(p, z, 2 / 17.0);
  p = fusedMultiplyAdd(p, z, 2 / 15.0);
  p = fusedMultiplyAdd(p, z, 2 / 13.0);
  p = fusedMultiplyAdd(p, z, 2 / 11.0);
  p = fusedMultiplyAdd(p, z, 2 / 9.0);
  p = fusedMultiplyAdd(p, z, 2 / 7.0);
  p = fusedMultiplyAdd(p, z, 2 / 5.0);
  p = fusedMultiplyAdd(p, z, 2 / 3.0);
  return fusedMultiplyAdd(double(k), 0.6931471805599453, fusedMultiplyAdd(p * z, s, 2 * s));
}

}  // namespace sulcus
