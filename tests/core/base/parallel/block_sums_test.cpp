#include "core/base/parallel/block_sums.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(BlockSums, AreThoseOfAllBlocksOnAnyNumberOfThreads) {
  const auto sums = [] {
    return blockSums<2>(1000, 7, {}, [](std::int64_t begin, std::int64_t end, auto& sum) {
      for (std::int64_t i = begin; i < end; ++i) sum[0] += 1, sum[1] += 1.0 / double(i + 1);
    });
  };
  std::array<double, 2> one, three;
  withThreads(1, [&] { one = sums(); });
  withThreads(3, [&] { three = sums(); });
  EXPECT_EQ(one[0], 1000);
  EXPECT_NEAR(one[1], 7.485470860550345, 1e-12);
  EXPECT_EQ(one, three);
}

TEST(BlockSums, OfNothingAreZero) {
  EXPECT_EQ(blockSums<1>(0, 8, {}, [](auto, auto, auto&) {})[0], 0);
}

}  // namespace
}  // namespace sulcus
