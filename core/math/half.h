#pragma once

#include <bit>
#include <cstdint>

namespace sulcus {

/// A number of half precision (IEEE 754 binary16) from its bits.
inline float floatFromHalf(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1fu,
                      fraction = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float size = float(fraction) * 0x1p-24f;
  return sign ? -size : size;
}

/// The bits of the number of half precision nearest to `value`, of two as near the even one; beyond 65 520 it
/// is infinite.
inline std::uint16_t halfFromFloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = std::uint16_t(bits >> 16 & 0x8000u);
  const std::uint32_t size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return std::uint16_t(sign | 0x7e00u);
  if (size >= 0x477ff000u) return std::uint16_t(sign | 0x7c00u);
  if (size < 0x38800000u) {  // below 2⁻¹⁴ the steps are all 2⁻²⁴: the addition rounds to them
    const float steps = std::bit_cast<float>(size) + 0.5f;
    return std::uint16_t(sign | (std::bit_cast<std::uint32_t>(steps) - 0x3f000000u));
  }
  return std::uint16_t(sign | ((size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13));
}

}  // namespace sulcus
