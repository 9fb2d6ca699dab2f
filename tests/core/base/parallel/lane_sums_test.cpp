#include "core/base/parallel/lane_sums.h"

#include "core/base/parallel/parallel_for.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

std::array<double, 2> sumsOf(std::int64_t count) {
  return laneSums<2>(count, {},
                     [](std::int64_t i, auto& sums) { sums[0] += 1, sums[1] += 1.0 / double(i + 1); });
}

TEST(LaneSums, HoldEveryTermOnceOnAnyNumberOfThreads) {
  for (const std::int64_t count : {0, 1, 31, 33, 255, 257, 2047, 2049, 10'000}) {
    std::array<double, 2> one{}, three{};
    withThreads(1, [&] { one = sumsOf(count); });
    withThreads(3, [&] { three = sumsOf(count); });
    EXPECT_EQ(one[0], double(count));
    double inTurn = 0;
    for (std::int64_t i = 0; i < count; ++i) inTurn += 1.0 / double(i + 1);
    EXPECT_NEAR(one[1], inTurn, 1e-12);
    EXPECT_EQ(one, three);
  }
}

/// A number far larger than the others absorbs what is added to it, which shows the order of the additions.
TEST(LaneSums, AddHalvesOfTheLanesOfAGroup) {
  std::array<double, kTermsPerGroup> terms{};
  const auto sum = [&] {
    return laneSums<1>(kTermsPerGroup, {},
                       [&](std::int64_t i, auto& sums) { sums[0] += terms[std::size_t(i)]; })[0];
  };
  constexpr double large = 0x1p60;
  terms[0] = large, terms[16] = 1, terms[32] = -large;  // lane 0 is 0 again before lane 16 is added
  EXPECT_EQ(sum(), 1);
  terms[32] = 0, terms[48] = -large;  // lane 16 is then −large
  EXPECT_EQ(sum(), 0);
  terms[48] = 0, terms[8] = -large;  // lane 16 is added to lane 0 before lane 8
  EXPECT_EQ(sum(), 0);
  terms[16] = 0, terms[9] = 1;
  EXPECT_EQ(sum(), 1);
}

}  // namespace
}  // namespace sulcus
