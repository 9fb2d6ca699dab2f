#include "core/preparation/motion.h"

#include "core/base/parallel/parallel_for.h"
#include "core/phantom/moved_head.h"
#include "tests/support/expect_error.h"
#include "tests/support/same_bits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

using phantom::MovedHead;

constexpr double kDegree = std::numbers::pi / 180;

/// Mean and largest error of the motion between volumes and their mean, mm and degrees.
struct Errors {
  double shift = 0, turn = 0, largestShift = 0, largestTurn = 0;
};

Errors errorsOf(const std::vector<Motion>& found, const std::vector<Motion>& truth, const Grid& grid) {
  // The position of rest is arbitrary: the first volume is compared with the others.
  Errors errors;
  std::vector<Affine> off;
  Motion mean;
  const auto c = grid.center();
  for (std::size_t v = 0; v < truth.size(); ++v) {
    off.push_back(volumeFromRest(truth[v], c).inverse() * volumeFromRest(found[v], c));
    const Motion one = motionOf(off.back(), c);
    mean.shift = mean.shift + one.shift, mean.turn = mean.turn + one.turn;
  }
  const double n = double(truth.size());
  mean.shift = (1 / n) * mean.shift, mean.turn = (1 / n) * mean.turn;
  for (const Affine& one : off) {
    const Motion m = motionOf(one * volumeFromRest(mean, c).inverse(), c);
    const double shift = norm(m.shift), turn = norm(m.turn) / kDegree;
    errors.shift += shift / n, errors.turn += turn / n;
    errors.largestShift = std::max(errors.largestShift, shift);
    errors.largestTurn = std::max(errors.largestTurn, turn);
  }
  return errors;
}

using phantom::walkOf;

MotionResult realigned(const MovedHead& head, const std::vector<Motion>& truth) {
  return realignSeries({std::make_shared<const Series<float>>(head.scan(truth)), {}}, {});
}

void expectFound(const MotionResult& result, const MovedHead& head, const std::vector<Motion>& truth) {
  const Errors errors = errorsOf(result.motion, truth, head.grid());
  EXPECT_LE(errors.shift, 0.02);
  EXPECT_LE(errors.turn, 0.02);
  EXPECT_LE(errors.largestShift, 0.06);
  EXPECT_LE(errors.largestTurn, 0.06);
  EXPECT_FALSE(result.still);
}

TEST(Motion, FindsWalksToAFiftiethOfAMillimeter) {
  for (const double mm : {0.5, 1.0, 3.0, 6.0, 10.0}) {
    MovedHead head;
    head.noise = 1;
    const auto truth = walkOf(8, mm, std::uint64_t(10 * mm));
    expectFound(realigned(head, truth), head, truth);
  }
}

TEST(Motion, FindsJumpsAndMotionWithTheTaskBesideActivation) {
  MovedHead head;
  head.noise = 1, head.activation = 2, head.radius = 20;
  std::vector<Motion> jumps(12), task(12);
  for (std::size_t v = 0; v < 12; ++v) {
    head.active.push_back(v % 6 < 3);
    if (v >= 5) jumps[v] = {{2, -1, 1.5}, {0.03, 0, -0.02}};
    if (v == 9) jumps[v].shift.z = -2;
    if (v % 6 < 3) task[v] = {{0, 0.1, 0.5}, {0.004, 0, 0}};
  }
  expectFound(realigned(head, jumps), head, jumps);
  expectFound(realigned(head, task), head, task);
}

TEST(Motion, IsFoundWhereTheHeadLeavesTheView) {
  MovedHead head;
  head.noise = 1, head.headShift = {0, 0, 25}, head.size.z = 20;
  const auto truth = walkOf(8, 3, 2);
  expectFound(realigned(head, truth), head, truth);
}

TEST(Motion, SaysThatNobodyMoved) {
  for (const double noise : {0.1, 3.0}) {
    MovedHead head;
    head.noise = noise, head.activation = 2, head.radius = 20;
    for (int v = 0; v < 16; ++v) head.active.push_back(v % 8 < 4);
    const MotionResult result = realigned(head, std::vector<Motion>(16));
    EXPECT_TRUE(result.still) << noise;
    EXPECT_EQ(result.motion, std::vector<Motion>(16));
    EXPECT_THAT(result.notes, testing::ElementsAre(testing::StartsWith("Nobody moved")));
  }
}

TEST(Motion, IsTheSameForAnyNumberOfThreads) {
  MovedHead head;
  head.noise = 1;
  const MotionInput input{std::make_shared<const Series<float>>(head.scan(walkOf(5, 2, 3))), {1, 0, 1, 1, 1}};
  MotionResult one, three;
  withThreads(1, [&] { one = realignSeries(input, {}); });
  withThreads(3, [&] { three = realignSeries(input, {}); });
  EXPECT_EQ(one.motion, three.motion);
  EXPECT_TRUE(test::sameBits(one.series->values, three.series->values));
  EXPECT_TRUE(test::sameBits(one.mean.values, three.mean.values));
}

TEST(Motion, GivesTheHeadAtRestAndNoNumbersWhereAVolumeDoesNotReach) {
  MovedHead head;
  std::vector<Motion> motion(3);
  motion[1].shift.x = 8.4, motion[2].shift.x = -8.4;  // two voxels, relative to the first volume
  const MotionResult result = realigned(head, motion);
  const Series<float> rest = head.scan({Motion()});
  const Grid& grid = rest.grid;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const int x = grid.voxel(i).x;
    for (int v = 0; v < 3; ++v) {
      const float value = result.series->at(i, v);
      const bool reaches = x + 2 * (v == 1) < grid.size.x && x - 2 * (v == 2) >= 0;
      ASSERT_EQ(std::isnan(value), !reaches) << v << " " << x;
      if (reaches) ASSERT_NEAR(value, rest.at(i, 0), 5) << v;
    }
  }
}

TEST(Motion, TellsWhereMostOfAHeadIsOutOfView) {
  MovedHead head;
  head.noise = 1;
  std::vector<Motion> motion(6);
  motion[4].shift.z = 60;
  const MotionResult result = realigned(head, motion);
  EXPECT_THAT(result.notes,
              testing::Contains(testing::HasSubstr("Warning: In 1 volume (4, counted from 0)")));
}

TEST(Motion, RefusesWhatCannotBeRealigned) {
  const auto series = [](Vec3<int> size, int volumes) {
    Grid grid;
    grid.size = size;
    return std::make_shared<const Series<float>>(grid, volumes, 7.f);
  };
  test::expectError([&] { realignSeries({series({9, 9, 9}, 1), {}}, {}); }, {"There is one volume"});
  test::expectError(
      [&] {
        realignSeries({series({64, 64, 1}, 10), {}}, {});
      },
      {"The series has 64 × 64 × 1 voxels"});
  test::expectError([&] { realignSeries({series({9, 9, 9}, 10), {}}, {}); }, {"The series shows nothing"});
  test::expectError(
      [&] {
        realignSeries({series({9, 9, 9}, 3), {0, 1, 0}}, {});
      },
      {"Less than two volumes are left"});
}

}  // namespace
}  // namespace sulcus::preparation
