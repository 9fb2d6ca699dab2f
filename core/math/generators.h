#pragma once

#include "core/math/philox.h"

// Random words of 32 bits, four at a time, for a voxel or a pack of voxels. A stream is a type with
//   next4(words, active)   gives each voxel its next four words; voxels outside `active` do not advance, and
//                          what they receive has no meaning.
// Philox computes words from a counter. The other generators are sequential: each voxel has a state of kWords
// words in memory, word w at state[w * stride], the voxels of a pack adjacent. Their makeValid(state, stride)
// converts a state of random words to a valid one.

namespace sulcus {

enum class RandomGenerator { philox, multicarry, xorgens, mt19937 };

template <class Uint>
using LanesOf = MaskOf<FloatOf<Uint>>;

/// Different uses draw from different streams: the fourth word of Philox's counter is the chain | one of
/// these.
inline constexpr std::uint32_t kSeedStream = 0x40000000u, kHyperStream = 0x80000000u;

/// The words of a voxel in an iteration of a chain. They depend on the counter only, not on the order of
/// computation.
template <class Uint>
struct PhiloxStream {
  PhiloxKey key;
  Uint voxel;
  std::uint32_t iteration = 0, chain = 0, block = 0;

  SULCUS_HD_INLINE void next4(Uint (&words)[4], LanesOf<Uint>) {
    words[0] = voxel;
    words[1] = Uint(iteration);
    words[2] = Uint(block++);
    words[3] = Uint(chain);
    philox(words, key);
  }
};

/// Two multiply-with-carry generators of 16 bits side by side (Marsaglia's "multicarry"); period about 2⁶⁰.
struct Multicarry {
  static constexpr int kWords = 2;

  SULCUS_HD static void makeValid(std::uint32_t* state, std::int64_t stride) {
    // Excludes the states that do not change: 0, and others that lie above 2³⁰.
    state[0] = 1 + (state[0] >> 2);
    state[stride] = 1 + (state[stride] >> 2);
  }
  template <class Uint>
  SULCUS_HD static void next4(std::uint32_t* state, std::int64_t stride, Uint (&words)[4],
                              LanesOf<Uint> active) {
    const Uint z0 = load<Uint>(state), w0 = load<Uint>(state + stride);
    Uint z = z0, w = w0;
    for (int i = 0; i < 4; ++i) {
      z = Uint(36969u) * (z & Uint(0xffffu)) + (z >> 16);
      w = Uint(18000u) * (w & Uint(0xffffu)) + (w >> 16);
      words[i] = (z << 16) + (w & Uint(0xffffu));
    }
    store(state, select(active, z, z0));
    store(state + stride, select(active, w, w0));
  }
};

/// Brent's xorgens with 128 bits of state, plus a Weyl sequence; period (2¹²⁸ − 1) 2³².
/// Brent, "Some long-period random number generators using shifts and xors", ANZIAM J 48 (2007) C188.
struct Xorgens {
  static constexpr int kWords = 5;

  SULCUS_HD static void makeValid(std::uint32_t* state, std::int64_t) {
    state[0] |= 1;
  }  // excludes the state 0
  template <class Uint>
  SULCUS_HD static void next4(std::uint32_t* state, std::int64_t stride, Uint (&words)[4],
                              LanesOf<Uint> active) {
    Uint x[4];
    for (int i = 0; i < 4; ++i) x[i] = load<Uint>(state + i * stride);
    const Uint weyl0 = load<Uint>(state + 4 * stride);
    Uint weyl = weyl0;
    // x[i] is the word four steps back, x[i + 1] that three steps back (r = 4, s = 3).
    for (int i = 0; i < 4; ++i) {
      Uint t = x[i], v = x[(i + 1) & 3];
      t = t ^ (t << 15);
      t = t ^ (t >> 14);
      v = v ^ (v << 12);
      v = v ^ (v >> 17);
      const Uint next = t ^ v;
      weyl = weyl + Uint(0x61c88647u);
      words[i] = next + (weyl ^ (weyl >> 16));
      store(state + i * stride, select(active, next, x[i]));
      x[i] = next;
    }
    store(state + 4 * stride, select(active, weyl, weyl0));
  }
};

/// The Mersenne twister of Matsumoto and Nishimura (1998), as std::mt19937. The last word of the state is its
/// position.
struct MersenneTwister {
  static constexpr int kSize = 624, kWords = kSize + 1;

  SULCUS_HD static void makeValid(std::uint32_t* state, std::int64_t stride) {
    state[0] |= 0x80000000u;  // excludes the state 0
    state[kSize * stride] = 0;
  }
  SULCUS_HD static std::uint32_t next(std::uint32_t* state, std::int64_t stride) {
    std::uint32_t& position = state[kSize * stride];
    const std::uint32_t i = position, after = i + 1 < kSize ? i + 1 : 0;
    const std::uint32_t across = i + 397 < kSize ? i + 397 : i + 397 - kSize;
    const std::uint32_t mixed = (state[i * stride] & 0x80000000u) | (state[after * stride] & 0x7fffffffu);
    std::uint32_t y = state[across * stride] ^ (mixed >> 1) ^ ((mixed & 1) ? 0x9908b0dfu : 0u);
    state[i * stride] = y;
    position = after;
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
  }
  template <class Uint>
  SULCUS_HD static void next4(std::uint32_t* state, std::int64_t stride, Uint (&words)[4],
                              LanesOf<Uint> active) {
    // Voxels whose χ² candidate was rejected are ahead of their neighbors, so each advances by itself.
    constexpr int lanes = sizeof(Uint) / sizeof(std::uint32_t);
    std::uint32_t out[4][lanes], on[lanes];
    store(on, select(active, Uint(1u), Uint(0u)));
    for (int lane = 0; lane < lanes; ++lane)
      for (int i = 0; i < 4; ++i) out[i][lane] = on[lane] ? next(state + lane, stride) : 0;
    for (int i = 0; i < 4; ++i) words[i] = load<Uint>(out[i]);
  }
};

/// The words of a sequential generator for the voxels whose states begin at `state`.
template <class Generator, class Uint>
struct SequentialStream {
  std::uint32_t* state;
  std::int64_t stride;

  SULCUS_HD void next4(Uint (&words)[4], LanesOf<Uint> active) {
    Generator::next4(state, stride, words, active);
  }
};

/// Seeds the state of a sequential generator for one voxel and chain with words of Philox, so that it is
/// independent of the states of all other voxels and chains.
template <class Generator>
SULCUS_HD void seedStream(std::uint32_t* state, std::int64_t stride, PhiloxKey key, std::uint32_t voxel,
                          std::uint32_t chain) {
  PhiloxStream<std::uint32_t> seeds{key, voxel, 0, chain | kSeedStream};
  for (int w = 0; w < Generator::kWords; w += 4) {
    std::uint32_t words[4];
    seeds.next4(words, true);
    for (int i = 0; i < 4 && w + i < Generator::kWords; ++i) state[(w + i) * stride] = words[i];
  }
  Generator::makeValid(state, stride);
}

}  // namespace sulcus
