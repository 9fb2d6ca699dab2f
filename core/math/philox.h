#pragma once

#include "core/math/simd.h"

#include <cstdint>

// Random words of 32 bits, four at a time, for a voxel or a pack of voxels.

namespace sulcus {

/// The key of Philox, which is made of the seed of a run.
struct PhiloxKey {
  std::uint32_t first = 0, second = 0;

  PhiloxKey() = default;
  SULCUS_HD PhiloxKey(std::uint64_t seed) : first(std::uint32_t(seed)), second(std::uint32_t(seed >> 32)) {}
};

namespace detail {
inline constexpr std::uint32_t kPhiloxMultiplier0 = 0xD2511F53u, kPhiloxMultiplier1 = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxStep0 = 0x9E3779B9u, kPhiloxStep1 = 0xBB67AE85u;
inline constexpr int kPhiloxRounds = 10;
}  // namespace detail

/// Replaces the four words of a counter by four random words: Philox4x32-10 of Salmon et al., Proc. SC11
/// (2011). Different counters and keys give independent words.
SULCUS_HD inline void philox(std::uint32_t (&c)[4], PhiloxKey key) {
  using namespace detail;
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t(kPhiloxMultiplier0) * c[0];
    const std::uint64_t p1 = std::uint64_t(kPhiloxMultiplier1) * c[2];
    c[0] = std::uint32_t(p1 >> 32) ^ c[1] ^ key.first;
    c[1] = std::uint32_t(p1);
    c[2] = std::uint32_t(p0 >> 32) ^ c[3] ^ key.second;
    c[3] = std::uint32_t(p0);
    key.first += kPhiloxStep0;
    key.second += kPhiloxStep1;
  }
}

#ifndef __CUDACC__

namespace detail {
/// Half of the lanes of a pack, each word in the lower 32 of 64 bits. The upper bits are ignored.
template <int N>
struct HalfLanes {
  using Vector = typename VectorsOf<N>::Uint64;

  /// 64-bit products of the lower words.
  SULCUS_HD_INLINE static Vector product(Vector a, std::uint32_t factor) {
#if defined(__AVX512F__)
    if constexpr (N == 16) return (Vector)_mm512_maskz_mul_epu32(0xff, (__m512i)a, _mm512_set1_epi64(factor));
#endif
#if defined(__AVX2__)
    if constexpr (N == 8) return (Vector)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(factor));
#endif
    return (a & 0xffffffffu) * std::uint64_t(factor);
  }

  SULCUS_HD_INLINE static void rounds(Vector (&c)[4], PhiloxKey key) {
    for (int round = 0; round < kPhiloxRounds; ++round) {
      const Vector p0 = product(c[0], kPhiloxMultiplier0), p1 = product(c[2], kPhiloxMultiplier1);
      c[0] = (p1 >> 32) ^ c[1] ^ std::uint64_t(key.first);
      c[1] = p1;
      c[2] = (p0 >> 32) ^ c[3] ^ std::uint64_t(key.second);
      c[3] = p0;
      key.first += kPhiloxStep0;
      key.second += kPhiloxStep1;
    }
  }
};
}  // namespace detail

/// Philox with one counter per lane of a vector.
template <int N>
SULCUS_HD_INLINE void philox(UintPack<N> (&c)[4], PhiloxKey key) {
  using Half = detail::HalfLanes<N>;
  using Vector = typename Half::Vector;
  Vector even[4], odd[4];
  for (int i = 0; i < 4; ++i) {
    even[i] = (Vector)c[i].v;
    odd[i] = (Vector)c[i].v >> 32;
  }
  Half::rounds(even, key);
  Half::rounds(odd, key);
  for (int i = 0; i < 4; ++i) c[i] = (typename UintPack<N>::Vector)((even[i] & 0xffffffffu) | (odd[i] << 32));
}

#endif

/// Different uses draw from different streams: the fourth word of the counter is the chain | this for
/// hyper-parameters.
inline constexpr std::uint32_t kHyperStream = 0x80000000u;

/// The words of a voxel in an iteration of a chain. They depend on the counter only, not on the order of
/// computation.
template <class Uint>
struct PhiloxStream {
  PhiloxKey key;
  Uint voxel;
  std::uint32_t iteration = 0, chain = 0, block = 0;

  SULCUS_HD_INLINE void next4(Uint (&words)[4]) {
    words[0] = voxel;
    words[1] = Uint(iteration);
    words[2] = Uint(block++);
    words[3] = Uint(chain);
    philox(words, key);
  }
};

}  // namespace sulcus
