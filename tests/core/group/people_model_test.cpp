#include "core/group/people_model.h"

#include "core/activation/results/posterior.h"
#include "tests/core/group/simulated_people.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

constexpr double kShare = 0.3, kEffect = 2;  ///< of PeopleTruth

PeopleTruth truthOf(bool hasVariances, double unit = 1) {
  PeopleTruth truth;
  truth.share = kShare, truth.effect = kEffect;
  truth.hasVariances = hasVariances, truth.unit = unit;
  return truth;
}

struct PeopleModel : testing::TestWithParam<bool> {};

TEST_P(PeopleModel, HoldsWhatItPromises) {
  const SimulatedPeople made(6000, truthOf(GetParam()), 1);
  const PeoplePosterior posterior = made.posterior(1500);
  EXPECT_NEAR(posterior.share, kShare, 0.06);
  EXPECT_NEAR(posterior.effectDeviation, kEffect, 0.15);
  EXPECT_LT(posterior.largestRatio, 1.2);

  // Effects of either sign that are shown at a false share of 5 %.
  const auto above = posterior.exceedance(0, false);
  const double threshold = activation::fdrThreshold(above, 0.05);
  double shown = 0, wrong = 0;
  for (std::size_t v = 0; v < above.size(); ++v) {
    if (above[v] < threshold) continue;
    ++shown;
    wrong += !(made.effect[v] > 0);
  }
  EXPECT_GT(shown, 100);
  EXPECT_NEAR(wrong / shown, 0.05, 0.02);

  // A probability is the share of voxels in which the statement is true.
  for (double low = 0; low < 1; low += 0.2) {
    double count = 0, promised = 0, right = 0;
    for (std::size_t v = 0; v < above.size(); ++v)
      if (above[v] >= low && above[v] < low + 0.2) ++count, promised += above[v], right += made.effect[v] > 0;
    if (count > 500) {
      EXPECT_NEAR(right / count, promised / count, 0.03) << "from " << low;
    }
  }

  // Intervals contain the truth.
  double inside = 0;
  const auto low = posterior.quantile(0.025), high = posterior.quantile(0.975);
  for (std::size_t v = 0; v < low.size(); ++v)
    inside += low[v] <= made.effect[v] && made.effect[v] <= high[v];
  EXPECT_NEAR(inside / double(low.size()), 0.95, 0.025);

  double ratio = 0;
  for (std::size_t v = 0; v < low.size(); ++v) ratio += posterior.peopleDeviation[v] / made.deviation[v];
  EXPECT_NEAR(ratio / double(low.size()), 1, 0.05);
}
INSTANTIATE_TEST_SUITE_P(WithoutAndWith, PeopleModel, testing::Bool(),
                         [](const auto& given) { return given.param ? "variances" : "none"; });

TEST(PeopleModelUnits, AreNoMatter) {
  const SimulatedPeople one(500, truthOf(true), 2), large(500, truthOf(true, 1024), 2);
  const PeoplePosterior a = one.posterior(200), b = large.posterior(200);
  for (std::size_t v = 0; v < a.mean.size(); ++v) EXPECT_EQ(a.mean[v] * 1024, b.mean[v]);
}

}  // namespace
}  // namespace sulcus::group
