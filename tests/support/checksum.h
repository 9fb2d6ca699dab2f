#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace sulcus::test {

/// FNV-1a over the bits of the values, little-endian. All NaN count as equal.
inline std::uint64_t checksum(const std::vector<float>& values) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const float value : values) {
    const auto bits = value != value ? 0x7fc00000u : std::bit_cast<std::uint32_t>(value);
    for (int byte = 0; byte < 4; ++byte) sum = (sum ^ (bits >> 8 * byte & 0xff)) * 0x100000001b3;
  }
  return sum;
}

}  // namespace sulcus::test
