#include "core/fibers/peaks/starts.h"

#include "tests/core/fibers/peaks/form_oracle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

constexpr double kDegreesPerRadian = 180 / std::numbers::pi;

TEST(EvenDirections, AreUnitAndOnTheUpperHalf) {
  for (const int count : {0, 1, 2, 3, 16, 31, 64, 257, 1024}) {
    const auto x = evenDirections(count);
    ASSERT_EQ(int(x.size()), count);
    for (const auto& d : x) {
      EXPECT_NEAR(norm(d), 1, 1e-12);
      EXPECT_GE(d.z, 0);
    }
  }
}

TEST(EvenDirections, KeepApartAndLeaveNoHole) {
  for (const int count : {16, 32, 64, 128, 512}) {
    const auto x = evenDirections(count);
    // The radius of a cap whose area is that of the half sphere over the count.
    const double cap = std::acos(1 - 1.0 / count) * kDegreesPerRadian;
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < i; ++j) EXPECT_GT(test::degreesBetween(x[i], x[j]), 1.2 * cap) << count;
    test::Rng rng(1);
    for (int i = 0; i < 2000; ++i) {
      const auto d = test::randomDirection(rng);
      double nearest = 90;
      for (const auto& s : x) nearest = std::min(nearest, test::degreesBetween(s, d));
      EXPECT_LT(nearest, 1.5 * cap) << count;
    }
  }
}

TEST(RandomDirections, AreThoseOfThePhiloxGenerator) {
  // The known answer of Random123 for counter 0 and key 0 is 6627e8d5 e169c58d bc57ac4c.
  const auto uniform = [](std::uint32_t b) { return (b + 0.5) / 2147483648.0 - 1; };
  const auto truth =
      normalized(Vec3<double>{uniform(0x6627e8d5u), uniform(0xe169c58du), uniform(0xbc57ac4cu)});
  EXPECT_LT(norm(randomDirections(1, 0)[0] - truth), 1e-15);
}

TEST(RandomDirections, DoNotDependOnHowManyThereAre) {
  const auto few = randomDirections(5, 7), many = randomDirections(50, 7);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(few[i], many[i]);
  EXPECT_NE(randomDirections(5, 8)[0], few[0]);
}

TEST(StartingDirections, FollowTheOptions) {
  FiberOptions options;
  options.starts = 10;
  const auto even = startingDirections(options);
  EXPECT_EQ(even[3].x, float(evenDirections(10)[3].x));
  options.startSet = StartSet::random;
  options.seed = 4;
  EXPECT_EQ(startingDirections(options)[3].y, float(randomDirections(10, 4)[3].y));
}

}  // namespace
}  // namespace sulcus::fibers
