#include "gpu/runtime/blocks.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace sulcus::gpu {
namespace {

TEST(Blocks, HoldEverythingAndNoneIsEmpty) {
  for (const int threads : {1, 2, 32, 255, 256})
    for (std::int64_t count = 0; count < 1000; ++count) {
      const std::int64_t blocks = blocksFor(count, threads);

      EXPECT_GE(blocks * threads, count);
      EXPECT_LT((blocks - 1) * threads, count == 0 ? 1 : count);
      EXPECT_EQ(roundedUp(count, threads), blocks * threads);
    }
}

TEST(Blocks, OfMoreThan32BitsOfThingsAreCounted) {
  EXPECT_EQ(ceilDivide((std::int64_t(1) << 40) + 1, 256), (std::int64_t(1) << 32) + 1);
}

}  // namespace
}  // namespace sulcus::gpu
