#include "core/math/philox.h"

#include "core/math/distributions.h"

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <Random123/philox.h>
#include <gtest/gtest.h>

namespace sulcus {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words philoxOf(Words counter, PhiloxKey key) {
  std::uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
  philox(c, key);
  return {c[0], c[1], c[2], c[3]};
}

TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philoxOf({0, 0, 0, 0}, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philoxOf({~0u, ~0u, ~0u, ~0u}, ~0ull), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philoxOf({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822ull),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, IsThatOfRandom123) {
  std::mt19937_64 random(1);
  r123::Philox4x32 theirs;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t key = random(), low = random(), high = random();
    const Words counter{std::uint32_t(low), std::uint32_t(low >> 32), std::uint32_t(high),
                        std::uint32_t(high >> 32)};
    const auto expected = theirs({{counter[0], counter[1], counter[2], counter[3]}},
                                 {{std::uint32_t(key), std::uint32_t(key >> 32)}});
    EXPECT_EQ(philoxOf(counter, key), (Words{expected[0], expected[1], expected[2], expected[3]}));
  }
}

template <int N>
void expectWordsLikeOne() {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    const PhiloxKey key(std::uint64_t(random()) << 32 | random());
    UintPack<N> c[4];
    for (auto& word : c)
      for (int lane = 0; lane < N; ++lane) word.v[lane] = std::uint32_t(random());
    UintPack<N> mixed[4] = {c[0], c[1], c[2], c[3]};
    philox(mixed, key);
    for (int lane = 0; lane < N; ++lane)
      EXPECT_EQ((Words{mixed[0].v[lane], mixed[1].v[lane], mixed[2].v[lane], mixed[3].v[lane]}),
                philoxOf({c[0].v[lane], c[1].v[lane], c[2].v[lane], c[3].v[lane]}, key));
  }
}

TEST(Philox, IsTheSameInEveryLane) { expectWordsLikeOne<8>(); }

/// The normal numbers of each voxel, in the order in which iterations use them.
std::vector<std::vector<double>> normalsOf(int voxels, int count, std::uint32_t chain) {
  std::vector<std::vector<double>> all{std::size_t(voxels)};
  for (int voxel = 0; voxel < voxels; ++voxel)
    for (int i = 0; i < count; i += 4) {
      PhiloxStream<std::uint32_t> stream{1, std::uint32_t(voxel), std::uint32_t(i / 4), chain};
      std::uint32_t words[4];
      stream.next4(words);
      for (int pair = 0; pair < 2; ++pair) {
        float a, b;
        normalPair(words[2 * pair], words[2 * pair + 1], a, b);
        all[voxel].push_back(a);
        all[voxel].push_back(b);
      }
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
  const auto normals = normalsOf(kVoxels, kCount, 0), otherChain = normalsOf(kVoxels, kCount, 1);
  // With 5 standard errors 40 · 8 comparisons give a false alarm for one of 5000 seeds.
  const double limit = 5 / std::sqrt(double(kCount));
  double sum = 0;
  for (int v = 0; v < kVoxels; ++v) {
    EXPECT_LT(std::abs(correlation(normals[v], otherChain[v])), limit) << "voxel " << v;
    for (int lag = 1; lag <= 4; ++lag)
      EXPECT_LT(std::abs(correlation(normals[v], normals[v], lag)), limit) << "lag " << lag;
    if (v == 0) continue;
    EXPECT_LT(std::abs(correlation(normals[v], normals[v - 1])), limit) << "voxel " << v;
    EXPECT_LT(std::abs(correlation(normals[v], normals[v - 1], 1)), limit) << "voxel " << v;
    EXPECT_LT(std::abs(correlation(normals[v], normals[0])), limit) << "voxel " << v;
    sum += correlation(normals[v], normals[v - 1]);
  }
  // Over all pairs of neighbors, a correlation of 0.02 would be detected.
  EXPECT_LT(std::abs(sum / (kVoxels - 1)), 5 / std::sqrt(double(kCount) * (kVoxels - 1)));
}

}  // namespace
}  // namespace sulcus
