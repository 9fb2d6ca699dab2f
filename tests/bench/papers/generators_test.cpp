#include "tests/bench/papers/generators.h"

#include <array>
#include <bitset>
#include <random>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::bench {
namespace {

TEST(MersenneTwister, IsThatOfTheStandardLibrary) {
  std::mt19937 theirs(4357);
  std::stringstream text;
  text << theirs;
  std::vector<std::uint32_t> state(MersenneTwister::kWords);
  for (int i = 0; i < MersenneTwister::kSize; ++i) text >> state[i];
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(MersenneTwister::next(state.data()), theirs()) << i;
}

TEST(Multicarry, IsTwoMultipliersWithCarry) {
  std::uint32_t state[2] = {123456789, 362436069};
  // The generator in 64-bit arithmetic is a·low + carry.
  std::uint64_t z = state[0], w = state[1];
  for (int i = 0; i < 1000; ++i) {
    std::uint32_t words[4];
    Multicarry::next4(state, words);
    for (const auto word : words) {
      z = 36969 * (z % 65536) + z / 65536;
      w = 18000 * (w % 65536) + w / 65536;
      ASSERT_EQ(word, std::uint32_t(z * 65536 + w % 65536));
    }
  }
}

/// A linear map of 128 bits, given by the image of each bit.
using Bits = std::bitset<128>;
using Map = std::array<Bits, 128>;

Bits applied(const Map& map, const Bits& x) {
  Bits y;
  for (int i = 0; i < 128; ++i)
    if (x[i]) y ^= map[i];
  return y;
}
Map product(const Map& a, const Map& b) {
  Map c;
  for (int i = 0; i < 128; ++i) c[i] = applied(a, b[i]);
  return c;
}
Map power(Map base, unsigned __int128 exponent) {
  Map result;
  for (int i = 0; i < 128; ++i) result[i] = Bits().set(i);
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = product(base, result);
    base = product(base, base);
  }
  return result;
}

TEST(Xorgens, ReturnsToItsStateOnlyAfterAllOthers) {
  Map four;  // four steps; 4 and 2^128 − 1 have no common divisor, so the period is that of one step
  for (int bit = 0; bit < 128; ++bit) {
    std::uint32_t state[5] = {}, words[4];
    state[bit / 32] = 1u << bit % 32;
    Xorgens::next4(state, words);
    for (int i = 0; i < 128; ++i) four[bit][i] = state[i / 32] >> i % 32 & 1;
  }
  const unsigned __int128 period = ~static_cast<unsigned __int128>(0);
  const Map identity = power(four, 0);
  EXPECT_EQ(power(four, period), identity);
  for (const std::uint64_t prime :
       {3ull, 5ull, 17ull, 257ull, 641ull, 65537ull, 274177ull, 6700417ull, 67280421310721ull})
    EXPECT_NE(power(four, period / prime), identity) << prime;
}

}  // namespace
}  // namespace sulcus::bench
