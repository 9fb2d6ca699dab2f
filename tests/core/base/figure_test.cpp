#include "core/base/figure.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Figure, HasThreeDigitsBelowOne) {
  EXPECT_EQ(figure(1234.56), "1234.6");
  EXPECT_EQ(figure(8), "8.0");
  EXPECT_EQ(figure(0.512), "0.512");
  EXPECT_EQ(figure(-0.0051249), "-0.00512") << "a region of a mouse, mm³";
  EXPECT_EQ(figure(0), "0.0");
  EXPECT_EQ(figure(0.25, 2), "0.250");
  EXPECT_EQ(figure(3.14159, 2), "3.14");
}

TEST(Figure, CountsPositionsByTheVoxels) {
  EXPECT_EQ(placeDecimals(3), 1);
  EXPECT_EQ(placeDecimals(0.5), 1);
  EXPECT_EQ(placeDecimals(0.1), 2);
  EXPECT_EQ(placeDecimals(0.025), 3);
  EXPECT_EQ(placeDecimals(0), 1);
  EXPECT_EQ(fixedText(-0.04, 1), "0.0") << "never minus nothing";
}

}  // namespace
}  // namespace sulcus
