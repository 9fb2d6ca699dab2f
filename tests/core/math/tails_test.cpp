#include "core/math/tails.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

struct Known {
  double x, a, b, logTail;
};

// From scipy 1.15.
constexpr Known kOfF[] = {{56, 2, 113, -38.912260967302494},     {4, 1, 10, -2.611994370672508},
                          {0.5, 3, 40, -0.3791926076822667},     {1000, 5, 200, -319.22619230474294},
                          {1e-3, 2, 113, -0.000999991150546896}, {2.2, 4, 7.5, -1.8042238540282671},
                          {1e8, 1, 3, -26.840150532324003},      {1.2, 30, 150, -1.4425693603933387}};
constexpr Known kOfChiSquared[] = {{0.01, 1, 0, -0.08300741217032805},
                                   {3.84, 1, 0, -2.9948622271800254},
                                   {5, 2, 0, -2.5},
                                   {100, 3, 0, -47.91335211199013},
                                   {1, 10, 0, -0.00017213044355067012},
                                   {30, 10, 0, -7.062491384232906},
                                   {2000, 2, 0, -1000}};

TEST(Tails, OfF) {
  for (const auto& [x, a, b, logTail] : kOfF)
    EXPECT_NEAR(logTailOfF(x, a, b), logTail, 1e-9 * std::abs(logTail)) << x << " " << a << " " << b;
  EXPECT_EQ(logTailOfF(0, 2, 50), 0);
}

TEST(Tails, OfChiSquared) {
  for (const auto& [x, nu, none, logTail] : kOfChiSquared) {
    EXPECT_NEAR(logTailOfChiSquared(x, nu), logTail, 1e-9 * std::abs(logTail)) << x << " " << nu;
    EXPECT_NEAR(chiSquaredOfLogTail(logTail, nu), x, 1e-6 * x) << x << " " << nu;
  }
  EXPECT_EQ(logTailOfChiSquared(0, 3), 0);
  EXPECT_EQ(chiSquaredOfLogTail(0, 3), 0);
}

TEST(Tails, OfTheNormalDistribution) {
  EXPECT_EQ(deviateOfLogTail(-0.5), 0);
  EXPECT_NEAR(deviateOfLogTail(-0.8), 0.127356898705434, 1e-9);
  EXPECT_NEAR(deviateOfLogTail(-3), 1.6469217205277145, 1e-9);
  EXPECT_NEAR(deviateOfLogTail(-50), 9.674825283612355, 1e-9);
  for (const double z : {26.0, 100.0, 1000.0})  // χ² with one degree of freedom has both tails
    EXPECT_NEAR(deviateOfLogTail(logTailOfChiSquared(z * z, 1) - std::log(2)), z, 1e-6 * z);
}

TEST(Tails, FollowEachOther) {
  // F with many denominator degrees of freedom is χ² over its degrees of freedom.
  for (const double nu : {1.0, 2.0, 5.0, 40.0})
    for (const double x : {0.1, 1.0, 10.0, 60.0})
      EXPECT_NEAR(logTailOfF(x / nu, nu, 1e9), logTailOfChiSquared(x, nu), 1e-5 * (1 + x)) << nu << " " << x;
}

}  // namespace
}  // namespace sulcus
