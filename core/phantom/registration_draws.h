#pragma once

#include "core/math/philox.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

// The random numbers of the registration phantoms: functions of seed, kind and index.
namespace sulcus::phantom {

enum class Draw : std::uint32_t { warp, templateNoise, referenceNoise, bias };

/// Two uniform numbers in (0, 1) that depend on seed, kind and index only.
inline std::array<double, 2> uniforms(int seed, Draw kind, std::uint64_t index) {
  std::uint32_t c[4] = {std::uint32_t(index), std::uint32_t(index >> 32), std::uint32_t(kind), 0x726567u};
  philox(c, PhiloxKey(std::uint64_t(seed)));
  const auto uniform = [](std::uint32_t high, std::uint32_t low) {
    return (double(std::uint64_t(high) << 20 | low >> 12) + 0.5) * 0x1p-52;
  };
  return {uniform(c[0], c[1]), uniform(c[2], c[3])};
}

/// A number of the standard normal distribution.
inline double normal(int seed, Draw kind, std::uint64_t index) {
  const auto u = uniforms(seed, kind, index);
  return std::sqrt(-2 * std::log(u[0])) * std::cos(2 * std::numbers::pi * u[1]);
}

}  // namespace sulcus::phantom
