#include "core/math/half.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Half, EveryNumberComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = floatFromHalf(std::uint16_t(bits));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(floatFromHalf(halfFromFloat(value))));
    else
      ASSERT_EQ(halfFromFloat(value), bits);
  }
}

TEST(Half, IsTheNearestNumber) {
  // Between any two neighbors: below the midpoint the lower one, above it the upper one, at it the even one.
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = floatFromHalf(std::uint16_t(bits)), high = floatFromHalf(std::uint16_t(bits + 1));
    const float middle = 0.5f * (low + high);
    ASSERT_EQ(halfFromFloat(std::nextafter(middle, low)), bits);
    ASSERT_EQ(halfFromFloat(std::nextafter(middle, high)), bits + 1);
    ASSERT_EQ(halfFromFloat(middle), bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(halfFromFloat(-middle), 0x8000u | (bits % 2 == 0 ? bits : bits + 1));
  }
}

TEST(Half, KnownNumbers) {
  EXPECT_EQ(floatFromHalf(0x3c00), 1.0f);
  EXPECT_EQ(floatFromHalf(0xc000), -2.0f);
  EXPECT_EQ(floatFromHalf(0x7bff), 65504.0f);
  EXPECT_EQ(floatFromHalf(0x0001), 0x1p-24f);
  EXPECT_EQ(halfFromFloat(1e6f), 0x7c00);
  EXPECT_EQ(halfFromFloat(65519.0f), 0x7bff);
  EXPECT_EQ(halfFromFloat(65520.0f), 0x7c00);
  EXPECT_EQ(halfFromFloat(-std::numeric_limits<float>::infinity()), 0xfc00);
}

}  // namespace
}  // namespace sulcus
