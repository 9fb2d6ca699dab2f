#include "core/image/grids/value_check.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(IsSound, IsWhatCanBeWorkedOn) {
  for (const float value : {0.F, -0.F, 1e-45F, -3.F, 1e15F, -1e15F}) EXPECT_TRUE(isSound(value)) << value;
  for (const float value : {kNotANumber, -kNotANumber, kInfinity, -kInfinity, 1.001e15F, -3e38F})
    EXPECT_FALSE(isSound(value)) << value;
}

TEST(CheckValues, CountsEachKindAndTakesTheRangeOfTheRest) {
  const auto check =
      checkValues(std::vector<float>{kNotANumber, 3, kInfinity, -7, -kInfinity, 1e20F, 5, kNotANumber});
  EXPECT_EQ(check.nan, 2);
  EXPECT_EQ(check.infinite, 2);
  EXPECT_EQ(check.huge, 1);
  EXPECT_EQ(check.sound, 3);
  EXPECT_EQ(check.unsound(), 5);
  EXPECT_EQ(check.low, -7);
  EXPECT_EQ(check.high, 5);
  EXPECT_FALSE(check.constant());
  EXPECT_EQ(unsoundText(check), "2 not a number, 2 infinite, 1 beyond ±1e+15");
  EXPECT_EQ(valuesNote(check).line(),
            "Warning: Unusable values: 2 not a number, 2 infinite, 1 beyond ±1e+15.");
  EXPECT_EQ(valuesNote(checkValues(std::vector<float>{kNotANumber, 3})), "No number in 1 of 2 places.");
  EXPECT_TRUE(valuesNote(checkValues(std::vector<float>{kNotANumber})).isWarning());
}

TEST(CheckValues, CallsOnlyWholeImagesConstant) {
  EXPECT_TRUE(checkValues(std::vector<float>{2.5F, 2.5F}).constant());
  EXPECT_EQ(valuesNote(checkValues(std::vector<float>{2.5F, 2.5F})), "All values are 2.5.");
  EXPECT_FALSE(checkValues(std::vector<float>{2.5F, kNotANumber}).constant());
  EXPECT_FALSE(checkValues({}).constant());
  EXPECT_EQ(valuesNote(checkValues(std::vector<float>{1, 2})), "");
}

TEST(RequireSound, CountsWhatItRefuses) {
  EXPECT_NO_THROW(requireSound(std::vector<float>{1, 2}, "It", "why", "do"));
  EXPECT_EQ(test::errorOf([] {
              requireSound(std::vector<float>{1, kNotANumber, 3e38F}, "It", "why", "do");
            }),
            "It holds 2 values that are not finite or too large: 1 not a number, 1 beyond ±1e+15 (why): do");
}

}  // namespace
}  // namespace sulcus
