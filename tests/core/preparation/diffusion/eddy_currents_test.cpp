#include "core/preparation/diffusion/eddy_currents.h"

#include "core/preparation/diffusion/diffusion_motion.h"
#include "tests/core/preparation/diffusion/moving_fibers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

constexpr double kRadians = M_PI / 180;

std::vector<Motion> pathOf(int volumes, double size, unsigned seed) {
  std::mt19937 words(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Motion> motion(std::size_t(volumes), Motion{});
  for (int v = 1; v < volumes; ++v)
    for (int i = 0; i < 3; ++i) {
      motion[std::size_t(v)].shift[i] = size * uniform(words);
      motion[std::size_t(v)].turn[i] = size * kRadians * uniform(words);
    }
  return motion;
}

/// Terms that are proportional to the gradient.
std::vector<EddyTerms> eddyOf(const GradientTable& gradients, double linear, double quadratic,
                              unsigned seed) {
  std::mt19937 words(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double largest = 0;
  for (const Gradient& g : gradients.rows) largest = std::max(largest, g.b);
  double response[kEddyTerms][3];
  for (int k = 0; k < kEddyTerms; ++k)
    for (double& one : response[k]) one = (k < kLinearEddyTerms ? linear : quadratic) * uniform(words);
  std::vector<EddyTerms> eddy;
  for (const Gradient& g : gradients.rows) {
    EddyTerms terms{};
    if (g.b > 0)
      for (std::size_t k = 0; k < kEddyTerms; ++k)
        for (int i = 0; i < 3; ++i)
          terms[k] += std::sqrt(g.b / largest) * response[k][i] * g.directionWorld[i];
    eddy.push_back(terms);
  }
  return eddy;
}

double meanSize(const std::vector<EddyTerms>& eddy, const std::vector<EddyTerms>& from, int first,
                int count) {
  double sum = 0;
  for (std::size_t v = 0; v < eddy.size(); ++v)
    for (int k = first; k < first + count; ++k)
      sum += std::abs(eddy[v][std::size_t(k)] - (from.empty() ? 0 : from[v][std::size_t(k)]));
  return sum / double(eddy.size()) / count;
}

double meanTurn(const DiffusionMotionResult& result, const std::vector<Motion>& motion) {
  double sum = 0;
  for (std::size_t v = 0; v < motion.size(); ++v)
    sum += norm(result.motion[v].turn - motion[v].turn) / kRadians / double(motion.size());
  return sum;
}

DiffusionMotionResult realigned(const MovingFibers& head, const Series<float>& scan,
                                std::optional<int> axis) {
  return realignDiffusion({std::make_shared<const Series<float>>(scan), head.gradients(), {}, axis}, {});
}

TEST(EddyCurrentsTest, AVolumeIsAsLongAsItIsDisplaced) {
  Grid grid;
  grid.size = {20, 24, 16};
  grid.worldFromVoxel.m = {{{0, -3, 0}, {2.5, 0, 0}, {0, 0, 4}}};
  const EddyFrame frame(grid, 1);
  EXPECT_DOUBLE_EQ(frame.along.x, -1);
  EXPECT_DOUBLE_EQ(frame.spacing, 3);
  const EddyTerms terms{1, -2, 0.5, 0.3, 0.7, -0.4, 0.2, -0.6, 0.9};
  const Vec3<double> p{11, -20, 7};
  const double step = 1e-3;
  const double slope =
      (frame.shift(terms, p + step * frame.along) - frame.shift(terms, p - step * frame.along)) / (2 * step);
  EXPECT_NEAR(frame.width(terms, p), 1 + slope, 1e-9);
  EXPECT_EQ(eddyNames().size(), std::size_t(kEddyTerms));
  EXPECT_DOUBLE_EQ(displacementOf({1, -2, 0, 0, -0.5, 0, 3, 0, 0}), 2.5);
}

TEST(EddyCurrentsTest, AreFoundAndCorrectedBesideMotionAndLostSlices) {
  MovingFibers head({32, 36, 22}, 3, 4, 0, 1000);
  head.withShells(4, 32, {1000}, 7);
  const auto motion = pathOf(head.count(), 3, 5);
  const auto eddy = eddyOf(head.gradients(), 2, 1, 3);
  Series<float> scan = head.scan(motion, 25, 1, eddy);
  for (const int slice : {8, 10, 12})
    for (std::int64_t i = 0; i < 32 * 36; ++i) scan.volume(9).data[slice * 32 * 36 + i] *= 0.3f;
  const DiffusionMotionResult found = realigned(head, scan, 1), rigid = realigned(head, scan, {});
  EXPECT_GT(meanSize(eddy, {}, 0, 3), 1);
  EXPECT_LT(meanSize(found.eddy, eddy, 0, 3), 0.06);
  EXPECT_LT(meanSize(found.eddy, eddy, 3, 6), 0.1);
  EXPECT_TRUE(isZero(found.eddy[0])) << "a volume without diffusion weighting";
  EXPECT_LT(meanTurn(found, motion), 0.5 * meanTurn(rigid, motion));
  EXPECT_LT(meanTurn(found, motion), 0.4);
  EXPECT_EQ(found.lost, (std::vector<LostSlice>{{9, 8}, {9, 10}, {9, 12}}));
  EXPECT_TRUE(rigid.eddy.empty());
  EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("Eddy currents displaced voxels")));
  const Series<float> still = head.scan(std::vector<Motion>(motion.size()), 0, 1);
  double best = 0, worse = 0;
  for (std::int64_t i = 0; i < head.grid().voxels(); ++i) {
    const Vec3<int> at = head.grid().voxel(i);
    if (head.depth(head.grid().worldFromVoxel.point({double(at.x), double(at.y), double(at.z)})) > 1.05)
      continue;
    for (int v = 4; v < head.count(); ++v)
      if (found.dwi->at(i, v) != 0 && rigid.dwi->at(i, v) != 0) {
        best += std::abs(found.dwi->at(i, v) - still.at(i, v));
        worse += std::abs(rigid.dwi->at(i, v) - still.at(i, v));
      }
  }
  EXPECT_LT(best, 0.95 * worse);
}

TEST(EddyCurrentsTest, NothingIsFoundWhereThereAreNone) {
  for (const double b : {1000.0, 3000.0}) {
    const MovingFibers head({24, 26, 18}, 4, 2, 24, b);
    const auto motion = pathOf(head.count(), 3, 5);
    const Series<float> scan = head.scan(motion, 25, 1);
    const DiffusionMotionResult found = realigned(head, scan, 1), rigid = realigned(head, scan, {});
    ASSERT_EQ(found.eddy.size(), std::size_t(head.count()));
    EXPECT_TRUE(std::ranges::all_of(found.eddy, isZero)) << b;
    EXPECT_EQ(found.dwi->values, rigid.dwi->values);
    EXPECT_EQ(found.motion, rigid.motion);
    EXPECT_THAT(found.notes, testing::Contains("No displacement by eddy currents was found."));
  }
}

}  // namespace
}  // namespace sulcus::preparation
