#include "ui/model/views/movie.h"

#include "tests/ui/fake_analysis.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(Turntable, GoesOnceAroundTheAxisFromFootToHead) {
  const CameraVectors before{Vec3<double>{10, 5, 7}, {0, 5, 2}, {0, 0.6, 0.8}};
  const auto cameras = turntable(before, 4);
  ASSERT_EQ(cameras.size(), 4u);
  EXPECT_EQ(cameras[0], before);
  for (const auto& [position, focus, up] : cameras) {
    EXPECT_EQ(focus, before[1]);
    EXPECT_NEAR(norm(position - focus), norm(before[0] - before[1]), 1e-12);
    EXPECT_NEAR(position.z, 7, 1e-12);
    EXPECT_NEAR(up.z, 0.8, 1e-12);
  }
  EXPECT_NEAR(norm(cameras[1][0] - Vec3<double>{0, 15, 7}), 0, 1e-12) << "a quarter";
  EXPECT_NEAR(norm(cameras[2][0] - Vec3<double>{-10, 5, 7}), 0, 1e-12) << "half";
}

TEST(Sweep, GoesFromTheFirstSliceToTheLast) {
  Grid grid;
  grid.size = {4, 5, 6};
  grid.worldFromVoxel.m[2][2] = -2;  // stored from head to foot
  grid.worldFromVoxel.t = {0, 0, 30};
  const auto places = sweep(grid, {0, 0, 1}, {1, 2, 3}, 6);
  ASSERT_EQ(places.size(), 6u);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(places[std::size_t(i)], (Vec3<double>{1, 2, 20.0 + 2 * i}));
  EXPECT_EQ(sweep(grid, {1, 0, 0}, {1, 2, 3}, 2)[1], (Vec3<double>{3, 2, 3}));
}

TEST(Sweep, HasAsManySlicesAsTheImage) {
  const Layer image = test::volumeLayer("image", {4, 5, 6});
  EXPECT_EQ(slicesAcross(image, {0, 0, 1}), 6);
  EXPECT_EQ(slicesAcross(image, {0, 1, 0}), 5);
  EXPECT_EQ(slicesAcross(image, {1, 0, 0}), 4);
  Layer table;
  table.content = TableLayer();
  EXPECT_EQ(slicesAcross(table, {0, 0, 1}), 0);
}

TEST(CountUp, MeetsBothEnds) {
  EXPECT_EQ(countUp(0, 3, 4), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(countUp(0, 10, 3), (std::vector{0, 5, 10}));
  EXPECT_EQ(countUp(2, 5, 1), (std::vector{2}));
}

}  // namespace
}  // namespace sulcus::ui::model
