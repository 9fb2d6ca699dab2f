#include "core/analysis/value_agreement.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(ValueAgreement, OfEqualValuesIsComplete) {
  const std::vector<float> a{1, -2, 0, kNan, kInfinity};
  const auto agreement = valueAgreement({"value", "mm"}, a, a, 0, 0);
  EXPECT_TRUE(agreement.difference.agrees());
  EXPECT_EQ(agreement.difference.maximum, 0);
  EXPECT_EQ(agreement.difference.compared, 4) << "pairs of NaN are not counted";
  EXPECT_EQ(agreement.difference.unit, "mm");
}

TEST(ValueAgreement, SummarizesAbsoluteAndRelativeDifferences) {
  const std::vector<float> a{1, 2, 4, 0}, b{1, 3, 2, 0};
  const auto agreement = valueAgreement({"value", ""}, a, b, 1, 0);
  EXPECT_DOUBLE_EQ(agreement.difference.maximum, 2);
  EXPECT_DOUBLE_EQ(agreement.difference.mean, 0.75);
  EXPECT_DOUBLE_EQ(agreement.difference.shareWithin, 0.75);
  EXPECT_DOUBLE_EQ(agreement.relative.maximum, 0.5);
  EXPECT_FALSE(agreement.difference.agrees());
}

TEST(ValueAgreement, AddsTheRelativeToleranceToTheAbsoluteOne) {
  const std::vector<float> a{100}, b{111};
  EXPECT_FALSE(valueAgreement({"value", ""}, a, b, 1, 0.09).difference.agrees());
  EXPECT_TRUE(valueAgreement({"value", ""}, a, b, 1.1, 0.09).difference.agrees());
}

TEST(ValueAgreement, NeverCountsOneSidedValuesAsWithin) {
  const std::vector<float> a{kNan, 1, kInfinity, kInfinity}, b{1, kNan, -kInfinity, kInfinity};
  const auto agreement = valueAgreement({"value", ""}, a, b, 1e30, 1);
  EXPECT_EQ(agreement.oneSided, 3);
  EXPECT_DOUBLE_EQ(agreement.difference.shareWithin, 0.25);
}

TEST(ValueAgreement, TakesThe95thPercentile) {
  std::vector<float> a(101, 0), b;
  for (int i = 0; i <= 100; ++i) b.push_back(float(100 - i));
  EXPECT_DOUBLE_EQ(valueAgreement({"value", ""}, a, b, 0, 0).difference.percentile95, 95);
}

}  // namespace
}  // namespace sulcus
