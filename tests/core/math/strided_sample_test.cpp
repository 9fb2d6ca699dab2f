#include "core/math/strided_sample.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

std::vector<std::int64_t> sampled(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> all;
  forStridedSample(count, most, [&](std::int64_t i) { all.push_back(i); });
  return all;
}

TEST(StridedSample, TakesAllOfFew) {
  for (const std::int64_t count : {0, 1, 5, 9}) {
    const auto all = sampled(count, 5);
    ASSERT_EQ(std::ssize(all), count);
    for (std::int64_t i = 0; i < count; ++i) EXPECT_EQ(all[std::size_t(i)], i);
  }
}

TEST(StridedSample, TakesAsManyInOrderAndInside) {
  for (const std::int64_t count : {10'000, 10'001, 123'457, 2'000'000'000}) {
    const auto some = sampled(count, 5000);
    ASSERT_EQ(some.size(), 5000u);
    EXPECT_GE(some.front(), 0);
    EXPECT_LT(some.back(), count);
    for (std::size_t i = 1; i < some.size(); ++i) ASSERT_LT(some[i - 1], some[i]) << count;
  }
}

// With a single stride, samples would all be in one column: 500 · 500 · 200 / 100 000 is 500.
TEST(StridedSample, MeetsEveryColumnRowAndSliceOfAnImage) {
  struct Image {
    std::int64_t x, y, z, most;
  };
  for (const auto& [x, y, z, most] :
       {Image{500, 500, 200, 100'000}, {100, 100, 50, 5000}, {256, 256, 391, 100'000}, {64, 64, 79, 5000}}) {
    for (const auto& [below, side] : {std::pair(std::int64_t(1), x), {x, y}, {x * y, z}}) {
      std::vector<double> met(std::size_t(side), 0);
      for (const std::int64_t i : sampled(x * y * z, most)) met[std::size_t(i / below % side)] += 1;
      const double expected = double(most) / double(side);
      for (const double count : met)
        EXPECT_NEAR(count, expected, 5 * std::sqrt(expected)) << x << " " << y << " " << z << ", " << side;
    }
  }
}

}  // namespace
}  // namespace sulcus
