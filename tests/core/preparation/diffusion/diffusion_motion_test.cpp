#include "core/preparation/diffusion/diffusion_motion.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/fibers/fibers.h"
#include "tests/core/preparation/diffusion/moving_fibers.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

constexpr double kRadiansPerDegree = M_PI / 180;

/// A head that moves up to 3 mm and 3° after the first volume.
std::vector<Motion> path(int volumes, unsigned seed) {
  std::mt19937 words(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Motion> motion(std::size_t(volumes), Motion{});
  for (int v = 1; v < volumes; ++v)
    for (int i = 0; i < 3; ++i) {
      motion[std::size_t(v)].shift[i] = 3 * uniform(words);
      motion[std::size_t(v)].turn[i] = 3 * kRadiansPerDegree * uniform(words);
    }
  return motion;
}

/// The mean angle between the largest peak and the fiber in white matter, degrees.
double errorOfPeaks(const MovingFibers& head, const Series<float>& dwi, const GradientTable& gradients) {
  Mask mask(head.grid());
  for (std::int64_t i = 0; i < head.grid().voxels(); ++i) {
    const int x = int(i % mask.grid.size.x), y = int(i / mask.grid.size.x % mask.grid.size.y),
              z = int(i / mask.grid.size.x / mask.grid.size.y);
    const double d = head.depth(head.grid().worldFromVoxel.point({double(x), double(y), double(z)}));
    mask.values[std::size_t(i)] = d > 0.35 && d < 0.6;
  }
  fibers::FiberInput input;
  input.dwi = std::make_shared<const Series<float>>(dwi);
  input.gradients = gradients;
  input.mask = std::make_shared<const Mask>(mask);
  fibers::FiberOptions options;
  options.model = fibers::FiberModel::qball;
  options.order = 6;
  const fibers::FiberMaps maps = fibers::findFibers(input, options, {});
  double sum = 0;
  int count = 0;
  for (int z = 0; z < mask.grid.size.z; ++z)
    for (int y = 0; y < mask.grid.size.y; ++y)
      for (int x = 0; x < mask.grid.size.x; ++x) {
        if (!mask(x, y, z) || !(maps.count(x, y, z) > 0)) continue;
        const Vec3<double> peak{maps.peaks.volume(0)(x, y, z), maps.peaks.volume(1)(x, y, z),
                                maps.peaks.volume(2)(x, y, z)};
        const Vec3<double> fiber =
            head.fiber(head.grid().worldFromVoxel.point({double(x), double(y), double(z)}));
        sum += std::acos(std::min(1.0, std::fabs(dot(peak, fiber)) / std::sqrt(dot(peak, peak))));
        ++count;
      }
  return sum / count / kRadiansPerDegree;
}

DiffusionMotionResult realigned(const MovingFibers& head, const Series<float>& series) {
  return realignDiffusion({std::make_shared<const Series<float>>(series), head.gradients()}, {});
}

TEST(DiffusionMotionTest, PeaksAreThoseOfAHeadThatKeptStill) {
  const MovingFibers head({40, 44, 28}, 2.5, 4, 32, 1500);
  const std::vector<Motion> motion = path(head.count(), 5);
  Series<float> moved = head.scan(motion, 25, 1);
  const std::vector<LostSlice> lost{{6, 9}, {6, 11}, {6, 13}, {17, 14}, {30, 20}};
  for (const LostSlice& slice : lost)
    for (int y = 0; y < 44; ++y)
      for (int x = 0; x < 40; ++x) moved.volume(slice.volume)(x, y, slice.slice) *= 0.3f;
  const Series<float> still = head.scan(std::vector<Motion>(motion.size()), 25, 2);
  const DiffusionMotionResult result = realigned(head, moved);
  const double best = errorOfPeaks(head, still, head.gradients());
  const double raw = errorOfPeaks(head, moved, head.gradients());
  const double mended = errorOfPeaks(head, *result.dwi, result.gradients);
  double shift = 0, turn = 0;
  for (std::size_t v = 0; v < motion.size(); ++v) {
    const Vec3<double> s = result.motion[v].shift - motion[v].shift,
                       t = result.motion[v].turn - motion[v].turn;
    shift += std::sqrt(dot(s, s)) / double(motion.size());
    turn += std::sqrt(dot(t, t)) / kRadiansPerDegree / double(motion.size());
  }
  EXPECT_GT(raw, best + 1);
  EXPECT_LT(mended, best + 0.3);
  EXPECT_LT(shift, 0.5);
  EXPECT_LT(turn, 1);
  EXPECT_EQ(result.lost, lost);
}

TEST(DiffusionMotionTest, DoesNotTakeDirectionsForMotionWhereTheSignalDependsOnThemMost) {
  const MovingFibers head({40, 44, 28}, 2.5, 4, 32, 3000);
  const std::vector<Motion> motion = path(head.count(), 5);
  const DiffusionMotionResult result = realigned(head, head.scan(motion, 25, 1));
  double shift = 0, turn = 0;
  for (std::size_t v = 0; v < motion.size(); ++v) {
    const Vec3<double> s = result.motion[v].shift - motion[v].shift,
                       t = result.motion[v].turn - motion[v].turn;
    shift += std::sqrt(dot(s, s)) / double(motion.size());
    turn += std::sqrt(dot(t, t)) / kRadiansPerDegree / double(motion.size());
  }
  EXPECT_LT(shift, 0.4);
  EXPECT_LT(turn, 1.3);
}

TEST(DiffusionMotionTest, LeavesAHeadThatKeptStillAsItIs) {
  const MovingFibers head({32, 34, 22}, 3, 2, 20, 1000);
  const Series<float> series = head.scan(std::vector<Motion>(22), 25, 3);
  const DiffusionMotionResult result = realigned(head, series);
  EXPECT_TRUE(result.still);
  EXPECT_EQ(result.dwi->values, series.values);
  EXPECT_EQ(result.gradients.rows[5].directionWorld, head.gradients().rows[5].directionWorld);
  EXPECT_TRUE(result.lost.empty());
}

TEST(DiffusionMotionTest, DoesNotDependOnTheNumberOfThreads) {
  const MovingFibers head({20, 22, 16}, 4, 1, 8, 1000);
  const Series<float> series = head.scan(path(9, 3), 25, 3);
  DiffusionMotionResult one, two;
  withThreads(1, [&] { one = realigned(head, series); });
  withThreads(2, [&] { two = realigned(head, series); });
  EXPECT_EQ(one.dwi->values, two.dwi->values);
  EXPECT_EQ(one.motion, two.motion);
}

TEST(DiffusionMotionTest, RefusesWhatCannotBeRealigned) {
  const MovingFibers head({20, 22, 16}, 4, 1, 8, 1000);
  const Series<float> series = head.scan(path(9, 3), 25, 3);
  GradientTable few = head.gradients();
  few.rows.pop_back();
  EXPECT_THROW(realignDiffusion({std::make_shared<const Series<float>>(series), few}, {}), Error);
  Grid slice = head.grid();
  slice.size.z = 1;
  EXPECT_THROW(realigned(head, Series<float>(slice, 9, 100.f)), Error);
}

TEST(DiffusionMotionTest, RefusesAPieceOfAHeadThatDoesNotHoldVolumesInPlace) {
  const MovingFibers head({30, 32, 24}, 4, 1, 12, 3000);
  const Series<float> series = head.scan(std::vector<Motion>(13), 4, 3);
  Grid part = head.grid();
  part.size = {7, 7, 7};
  Series<float> piece(part, 13);
  for (int v = 0; v < 13; ++v)
    for (int z = 0; z < 7; ++z)
      for (int y = 0; y < 7; ++y)
        for (int x = 0; x < 7; ++x) piece.volume(v)(x, y, z) = series.volume(v)(x + 12, y + 18, z + 8);
  EXPECT_THROW(realigned(head, piece), Error);
}

TEST(DiffusionMotionTest, TellsShellsThatPredictNothing) {
  const MovingFibers head({20, 22, 16}, 4, 2, 4, 1000);
  const DiffusionMotionResult result = realigned(head, head.scan(path(6, 3), 25, 3));
  EXPECT_THAT(result.notes, testing::Contains(testing::StartsWith("Warning: 4 volumes of shells")));
}

}  // namespace
}  // namespace sulcus::preparation
