#pragma once

#include <bit>
#include <cstdint>

namespace sulcus {

/// Converts the bits of a half-precision number (IEEE 754 binary16).
inline float floatFromHalf(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1fu,
                      fraction = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent > 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float size = float(fraction) * 0x1p-24f;
  return sign ? -size : size;
}

/// The bits of the half-precision number nearest to `value`, ties to even; values beyond 65 520 become
/// infinite.
inline std::uint16_t halfFromFloat(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = std::uint16_t(bits >> 16 & 0x8000u);
  const std::uint32_t size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return std::uint16_t(sign | 0x7e00u);
  if (size >= 0x477ff000u) return std::uint16_t(sign | 0x7c00u);
  if (size < 0x38800000u) {  // below 2⁻¹⁴ the spacing is 2⁻²⁴ throughout: the addition rounds to it
    const float steps = std::bit_cast<float>(size) + 0.5f;
    return std::uint16_t(sign | (std::bit_cast<std::uint32_t>(steps) - 0x3f000000u));
  }
  return std::uint16_t(sign | ((size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13));
}

}  // namespace sulcus
