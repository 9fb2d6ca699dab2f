#include "core/tracts/line_weights.h"

#include "core/base/parallel/parallel_for.h"
#include "core/phantom/tracts_phantom.h"
#include "tests/core/tracts/tract_fields.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

/// Straight lines along x through a cube of 20 voxels of 2 mm, at these positions in y and z.
Tracts alongX(const std::vector<Vec3<float>>& places) {
  Tracts lines;
  for (const Vec3<float>& place : places) {
    for (int n = 0; n <= 16; ++n) lines.points.push_back({float(n - 8), place.y, place.z});
    lines.first.push_back(lines.points.size());
  }
  return lines;
}

/// A plan whose voxels have one peak along x, of amplitude 1 for y < 0 and `above` for y > 0.
TractPlan planWithPeaks(double above) {
  TractInput input;
  input.peaks = peaksOf(cube(20, 2), [&](const Vec3<double>& p) {
    return Vec3<double>{p.y < 0 ? 1 : above, 0, 0};
  });
  TractOptions options;
  options.cutoff = 0.1;
  return planTracts(input, options, {});
}

std::vector<float> weightsOf(const Tracts& lines, const TractPlan& plan) {
  return fitWeights(weightProblemOf(lines, plan, fixelsOf(plan)), kWeightRounds, {});
}

TEST(LineWeights, FillTwiceAsMuchWhereTwiceAsMuchIsAskedFor) {
  const Tracts lines = alongX({{0, -5, 1}, {0, 5, 1}});
  const TractPlan plan = planWithPeaks(2);
  const auto weights = weightsOf(lines, plan);
  EXPECT_NEAR(weights[0], 2.0 / 3, 1e-3) << "both fill what they filled before";
  EXPECT_NEAR(weights[1], 4.0 / 3, 1e-3);
}

TEST(LineWeights, MakeUpForPlacesWithManyLines) {
  std::vector<Vec3<float>> places(10, {0, -5, 1});
  places.push_back({0, 5, 1});
  const TractPlan plan = planWithPeaks(1);
  const WeightProblem problem = weightProblemOf(alongX(places), plan, fixelsOf(plan));
  const auto weights = fitWeights(problem, kWeightRounds, {});
  EXPECT_NEAR(weights[0], 0.55, 1e-3);
  EXPECT_NEAR(weights[10], 5.5, 0.01);
  EXPECT_GT(misfitOf(problem, {}), 0.5);
  EXPECT_LT(misfitOf(problem, weights), 0.01);
}

TEST(LineWeights, OfLinesAcrossAllFibersStayAsTheyAre) {
  Tracts lines;
  for (int n = 0; n <= 16; ++n) lines.points.push_back({1, 1, float(n - 8)});
  lines.first.push_back(lines.points.size());
  EXPECT_EQ(weightsOf(lines, planWithPeaks(1)), std::vector<float>{1});
  EXPECT_TRUE(weightsOf({}, planWithPeaks(1)).empty());
}

TEST(LineWeights, HaveTheSameBitsForAnyNumberOfThreads) {
  const auto phantom = phantom::makeTractsPhantom({});
  TractInput input;
  input.functions = phantom.functions, input.seeds = phantom.bundles;
  TractOptions options;
  options.method = TractMethod::fod, options.minLength = 10, options.weights = true;
  const TractResult many = findTracts(input, options, {});
  TractResult one;
  withThreads(1, [&] { one = findTracts(input, options, {}); });
  ASSERT_EQ(many.tracts->perLine.size(), 1u);
  EXPECT_EQ(many.tracts->perLine[0].name, kWeightName);
  EXPECT_EQ(many.tracts->perLine[0].values, one.tracts->perLine[0].values);
  EXPECT_LT(many.misfitAfter, 0.7 * many.misfitBefore);
}

TEST(Fixels, AreTheLobesOfAFunction) {
  const auto phantom = phantom::makeTractsPhantom({});
  TractInput input;
  input.functions = phantom.functions;
  const TractPlan plan = planTracts(input, {}, {});
  const Fixels fixels = fixelsOf(plan);
  std::size_t one = 0, two = 0;
  for (std::int64_t v = 0; v < plan.grid.voxels(); ++v) {
    const auto row = std::size_t(plan.rowOf[std::size_t(v)]);
    const std::uint32_t count = fixels.first[row + 1] - fixels.first[row];
    ASSERT_LE(count, 2u);
    int peaks = 0;
    for (int n = 0; n < 2; ++n) {
      const Vec3<double> peak{phantom.peaks->at(v, 3 * n), phantom.peaks->at(v, 3 * n + 1),
                              phantom.peaks->at(v, 3 * n + 2)};
      if (!(norm(peak) > 0)) continue;
      ++peaks;
      double nearest = 0;
      for (std::uint32_t f = fixels.first[row]; f < fixels.first[row + 1]; ++f) {
        const Vec3<float>& d = fixels.directions[f];
        nearest = std::max(nearest, std::abs(dot(peak, Vec3<double>{d.x, d.y, d.z})) / norm(peak));
      }
      ASSERT_GT(nearest, 0.99) << "8°";
    }
    ASSERT_EQ(count, std::uint32_t(peaks));
    (peaks == 2 ? two : one) += peaks > 0;
  }
  EXPECT_GT(one, 100u);
  EXPECT_GT(two, 20u);
}

}  // namespace
}  // namespace sulcus::tracts
