#include "core/math/generators.h"

#include "core/math/distributions.h"

#include <bitset>
#include <random>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(MersenneTwister, IsThatOfTheStandardLibrary) {
  std::mt19937 theirs(4357);
  std::stringstream text;
  text << theirs;
  std::vector<std::uint32_t> state(MersenneTwister::kWords);
  for (int i = 0; i < MersenneTwister::kSize; ++i) text >> state[i];
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(MersenneTwister::next(state.data(), 1), theirs()) << i;
}

TEST(Multicarry, IsTwoMultipliersWithCarry) {
  std::uint32_t state[2] = {123456789, 362436069};
  // The generator in 64-bit arithmetic is a·low + carry.
  std::uint64_t z = state[0], w = state[1];
  for (int i = 0; i < 1000; ++i) {
    std::uint32_t words[4];
    Multicarry::next4(state, 1, words, true);
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
    Xorgens::next4(state, 1, words, true);
    for (int i = 0; i < 128; ++i) four[bit][i] = state[i / 32] >> i % 32 & 1;
  }
  const unsigned __int128 period = ~static_cast<unsigned __int128>(0);
  const Map identity = power(four, 0);
  EXPECT_EQ(power(four, period), identity);
  for (const std::uint64_t prime :
       {3ull, 5ull, 17ull, 257ull, 641ull, 65537ull, 274177ull, 6700417ull, 67280421310721ull})
    EXPECT_NE(power(four, period / prime), identity) << prime;
}

template <class Generator>
class Sequential : public testing::Test {};
using Generators = testing::Types<Multicarry, Xorgens, MersenneTwister>;
TYPED_TEST_SUITE(Sequential, Generators);

TYPED_TEST(Sequential, LanesGoOnByThemselves) {
  constexpr int N = 8, kWords = TypeParam::kWords, kStride = 16;
  std::vector<std::uint32_t> together(kWords * kStride), apart[N];
  for (int lane = 0; lane < N; ++lane) {
    apart[lane].resize(kWords);
    seedStream<TypeParam>(together.data() + lane, kStride, 7, 100 + lane, 3);
    seedStream<TypeParam>(apart[lane].data(), 1, 7, 100 + lane, 3);
  }
  std::mt19937 random(1);
  for (int step = 0; step < 400; ++step) {
    MaskPack<N> active;
    for (int lane = 0; lane < N; ++lane) active.v[lane] = random() % 4 != 0 ? -1 : 0;
    UintPack<N> words[4];
    TypeParam::next4(together.data(), kStride, words, active);
    for (int lane = 0; lane < N; ++lane) {
      if (!active[lane]) continue;
      std::uint32_t one[4];
      TypeParam::next4(apart[lane].data(), 1, one, true);
      for (int i = 0; i < 4; ++i) ASSERT_EQ(words[i].v[lane], one[i]) << step << " lane " << lane;
    }
  }
}

/// The normal numbers of each voxel from a generator of this kind, in the order in which iterations use them.
std::vector<std::vector<double>> normalsOf(RandomGenerator kind, int voxels, int count, std::uint32_t chain) {
  std::vector<std::vector<double>> all(voxels);
  const auto fill = [&](int voxel, auto next) {
    for (int i = 0; i < count; i += 4) {
      std::uint32_t words[4];
      next(i / 4, words);
      for (int pair = 0; pair < 2; ++pair) {
        float a, b;
        normalPair(words[2 * pair], words[2 * pair + 1], a, b);
        all[voxel].push_back(a);
        all[voxel].push_back(b);
      }
    }
  };
  const auto sequential = [&]<class Generator>(Generator, int voxel) {
    std::vector<std::uint32_t> state(Generator::kWords);
    seedStream<Generator>(state.data(), 1, 1, voxel, chain);
    fill(voxel, [&](int, std::uint32_t(&words)[4]) { Generator::next4(state.data(), 1, words, true); });
  };
  for (int voxel = 0; voxel < voxels; ++voxel) {
    if (kind == RandomGenerator::multicarry) sequential(Multicarry(), voxel);
    if (kind == RandomGenerator::xorgens) sequential(Xorgens(), voxel);
    if (kind == RandomGenerator::mt19937) sequential(MersenneTwister(), voxel);
    if (kind == RandomGenerator::philox)
      fill(voxel, [&](int iteration, std::uint32_t(&words)[4]) {
        PhiloxStream<std::uint32_t> stream{1, std::uint32_t(voxel), std::uint32_t(iteration), chain};
        stream.next4(words, true);
      });
  }
  return all;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b, int lag = 0) {
  double sum = 0;
  for (std::size_t i = lag; i < a.size(); ++i) sum += a[i] * b[i - lag];
  return sum / double(a.size() - lag);
}

TEST(Streams, OfNeighborsChainsAndDrawsAreUncorrelated) {
  constexpr int kVoxels = 40, kCount = 4000;
  for (const auto kind : {RandomGenerator::philox, RandomGenerator::multicarry, RandomGenerator::xorgens,
                          RandomGenerator::mt19937}) {
    const auto normals = normalsOf(kind, kVoxels, kCount, 0),
               otherChain = normalsOf(kind, kVoxels, kCount, 1);
    // With 5 standard errors 40 · 8 comparisons give a false alarm for one of 5000 seeds.
    const double limit = 5 / std::sqrt(double(kCount));
    for (int v = 0; v < kVoxels; ++v) {
      EXPECT_LT(std::abs(correlation(normals[v], otherChain[v])), limit) << int(kind) << " voxel " << v;
      for (int lag = 1; lag <= 4; ++lag)
        EXPECT_LT(std::abs(correlation(normals[v], normals[v], lag)), limit) << int(kind) << " lag " << lag;
      if (v == 0) continue;
      EXPECT_LT(std::abs(correlation(normals[v], normals[v - 1])), limit) << int(kind) << " voxel " << v;
      EXPECT_LT(std::abs(correlation(normals[v], normals[v - 1], 1)), limit) << int(kind) << " voxel " << v;
      EXPECT_LT(std::abs(correlation(normals[v], normals[0])), limit) << int(kind) << " voxel " << v;
    }
    // Over all pairs of neighbors, a correlation of 0.02 would be detected.
    double sum = 0;
    for (int v = 1; v < kVoxels; ++v) sum += correlation(normals[v], normals[v - 1]);
    EXPECT_LT(std::abs(sum / (kVoxels - 1)), 5 / std::sqrt(double(kCount) * (kVoxels - 1))) << int(kind);
  }
}

}  // namespace
}  // namespace sulcus
