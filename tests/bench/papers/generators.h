#pragma once

#include "core/math/philox.h"

// The generators of the package of Ferreira da Silva (2010), for comparison with Philox. Each has a state of
// kWords random words, which makeValid() converts to a valid one, and gives the next four words.

namespace sulcus::bench {

/// Two multiply-with-carry generators of 16 bits side by side (Marsaglia's "multicarry"); period about 2⁶⁰.
struct Multicarry {
  static constexpr int kWords = 2;

  static void makeValid(std::uint32_t* state) {
    // Excludes the states that do not change: 0, and others that lie above 2³⁰.
    state[0] = 1 + (state[0] >> 2);
    state[1] = 1 + (state[1] >> 2);
  }
  static void next4(std::uint32_t* state, std::uint32_t (&words)[4]) {
    auto &z = state[0], &w = state[1];
    for (auto& word : words) {
      z = 36969u * (z & 0xffffu) + (z >> 16);
      w = 18000u * (w & 0xffffu) + (w >> 16);
      word = (z << 16) + (w & 0xffffu);
    }
  }
};

/// Brent's xorgens with 128 bits of state, plus a Weyl sequence; period (2¹²⁸ − 1) 2³².
/// Brent, "Some long-period random number generators using shifts and xors", ANZIAM J 48 (2007) C188.
struct Xorgens {
  static constexpr int kWords = 5;

  static void makeValid(std::uint32_t* state) { state[0] |= 1; }  // excludes the state 0
  static void next4(std::uint32_t* state, std::uint32_t (&words)[4]) {
    // state[i] is the word four steps back, state[i + 1] that three steps back (r = 4, s = 3).
    for (int i = 0; i < 4; ++i) {
      std::uint32_t t = state[i], v = state[(i + 1) & 3];
      t ^= t << 15;
      t ^= t >> 14;
      v ^= v << 12;
      v ^= v >> 17;
      state[i] = t ^ v;
      state[4] += 0x61c88647u;
      words[i] = state[i] + (state[4] ^ (state[4] >> 16));
    }
  }
};

/// The Mersenne twister of Matsumoto and Nishimura (1998), as std::mt19937. The last word of the state is its
/// position.
struct MersenneTwister {
  static constexpr int kSize = 624, kWords = kSize + 1;

  static void makeValid(std::uint32_t* state) {
    state[0] |= 0x80000000u;  // excludes the state 0
    state[kSize] = 0;
  }
  static std::uint32_t next(std::uint32_t* state) {
    const std::uint32_t i = state[kSize], after = i + 1 < kSize ? i + 1 : 0;
    const std::uint32_t across = i + 397 < kSize ? i + 397 : i + 397 - kSize;
    const std::uint32_t mixed = (state[i] & 0x80000000u) | (state[after] & 0x7fffffffu);
    std::uint32_t y = state[across] ^ (mixed >> 1) ^ ((mixed & 1) ? 0x9908b0dfu : 0u);
    state[i] = y;
    state[kSize] = after;
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
  }
  static void next4(std::uint32_t* state, std::uint32_t (&words)[4]) {
    for (auto& word : words) word = next(state);
  }
};

/// Seeds the state of a generator for one voxel and chain with words of Philox, so that it is independent of
/// the states of all other voxels and chains.
template <class Generator>
void seedStream(std::uint32_t* state, PhiloxKey key, std::uint32_t voxel, std::uint32_t chain) {
  constexpr std::uint32_t kSeeds = 0x40000000u;
  PhiloxStream<std::uint32_t> seeds{key, voxel, 0, chain | kSeeds};
  for (int w = 0; w < Generator::kWords; w += 4) {
    std::uint32_t words[4];
    seeds.next4(words);
    for (int i = 0; i < 4 && w + i < Generator::kWords; ++i) state[w + i] = words[i];
  }
  Generator::makeValid(state);
}

}  // namespace sulcus::bench
