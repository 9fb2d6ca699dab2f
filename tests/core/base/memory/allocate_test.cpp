#include "core/base/memory/allocate.h"

#include "core/base/error.h"

#include <algorithm>
#include <stop_token>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Allocate, GivesCopiesAcrossItsSteps) {
  const std::size_t count = 5'000'003;  // not a multiple of the step
  const std::vector<float> values = allocate(count, 2.5f, {});
  EXPECT_EQ(values.size(), count);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float value) { return value == 2.5f; }));
  EXPECT_TRUE(allocate(0, 1, {}).empty());
}

TEST(Allocate, EndsWhenItIsCancelled) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(allocate(std::size_t(1) << 24, 0.0f, Progress(stop.get_token(), {})), Cancelled);
}

}  // namespace
}  // namespace sulcus
