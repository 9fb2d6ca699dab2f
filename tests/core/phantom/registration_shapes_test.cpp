#include "core/phantom/registration_shapes.h"

#include <gtest/gtest.h>

namespace sulcus::phantom {
namespace {

TEST(RegistrationShapes, HeadsHaveTheirLayersWhateverTheirSize) {
  for (const int size : {64, 256}) {
    const double unit = size / 64.0;
    const auto at = [&](double x) { return headAt({unit * x, 0, 0}, size); };
    EXPECT_LT(at(28), 0.01 * kBright) << "air";
    EXPECT_GT(at(21.5), 0.5 * kBright) << "scalp";
    EXPECT_LT(at(19.5), 0.3 * kBright) << "skull";
    EXPECT_NEAR(headAt({unit * 2.5, -unit, unit * 3.5}, size), 0.2 * kBright, 0.05 * kBright) << "ventricle";
    EXPECT_TRUE(isInBrain({unit * 16.5, 0, 0}, size));
    EXPECT_FALSE(isInBrain({unit * 17.5, 0, 0}, size));
    EXPECT_TRUE(isInBrain({0, unit * 21, 0}, size));
  }
}

TEST(RegistrationShapes, DisksAreFullAndTheCIsOpen) {
  EXPECT_GT(diskAt({0, 0, 0}, 64, false), 0.99 * kBright);
  EXPECT_LT(diskAt({0, 0, 0}, 64, true), 0.01 * kBright) << "its middle";
  EXPECT_LT(diskAt({15, 0, 0}, 64, true), 0.01 * kBright) << "its slot";
  EXPECT_GT(diskAt({-15, 0, 0}, 64, true), 0.99 * kBright);
  EXPECT_LT(diskAt({-15, 0, 12}, 64, true), 0.01 * kBright) << "above it";
}

}  // namespace
}  // namespace sulcus::phantom
