#include "core/preparation/motion_parameters.h"

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

TEST(MotionParameters, ComeBackFromTheirMap) {
  const Motion motion{{1, -2, 3}, {0.1, -0.2, 0.3}};
  const Vec3<double> center{10, -20, 5};
  const Motion back = motionOf(volumeFromRest(motion, center), center);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(back.shift[i], motion.shift[i], 1e-12);
    EXPECT_NEAR(back.turn[i], motion.turn[i], 1e-12);
  }
}

TEST(MotionParameters, TurnAboutTheCenterFromYToZ) {
  const Vec3<double> p = volumeFromRest({{0, 0, 1}, {0.01, 0, 0}}, {7, 7, 7}).point({7, 17, 7});
  EXPECT_NEAR(p.y, 17, 1e-3);
  EXPECT_NEAR(p.z, 8.1, 1e-3);
}

TEST(MotionParameters, AddUpToTheFramewiseDisplacement) {
  const std::vector<Motion> motion{{}, {{0.1, -0.2, 0}, {0, 0.002, 0}}, {{0.1, -0.2, 0.3}, {0, 0.002, 0}}};
  const auto displacement = framewiseDisplacement(motion);
  ASSERT_EQ(displacement.size(), 3u);
  EXPECT_EQ(displacement[0], 0);
  EXPECT_NEAR(displacement[1], 0.4, 1e-12);
  EXPECT_NEAR(displacement[2], 0.3, 1e-12);
}

}  // namespace
}  // namespace sulcus::preparation
