#include "core/group/people_model.h"

#include "core/activation/results/posterior.h"
#include "core/group/exchanges.h"

#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

constexpr int kSubjects = 16;
constexpr double kShare = 0.3, kEffect = 2;  ///< of voxels with an effect; its s.d., in the s.d. of people

/// Maps drawn from the model: two groups and age, of which the difference of the groups is asked for.
struct Simulation {
  GroupInput input;
  GroupDesign design;
  std::vector<std::size_t> maps;
  std::vector<std::int64_t> voxels;
  std::vector<double> effect, deviation;  ///< true ones

  Simulation(int count, bool hasVariances, unsigned seed, double unit = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::chi_squared_distribution<double> chiSquare(8);
    Grid grid;
    grid.size = {count, 1, 1};
    design.names = {"patients", "controls", "age"};
    for (int n = 0; n < kSubjects; ++n) {
      design.rows.push_back({n % 2 ? 0. : 1., n % 2 ? 1. : 0., normal(random)});
      input.maps.push_back(std::make_shared<Series<float>>(grid, 1));
      input.names.push_back("map " + std::to_string(n));
      maps.push_back(std::size_t(n));
    }
    input.volumes.assign(kSubjects, 0);
    design.contrasts = {{"difference", {{1, -1, 0}}}};
    std::vector<std::shared_ptr<Series<float>>> variances;
    for (int n = 0; n < kSubjects && hasVariances; ++n)
      input.variances.push_back({"", variances.emplace_back(std::make_shared<Series<float>>(grid, 1)), 0});
    for (int v = 0; v < count; ++v) {
      voxels.push_back(v);
      const double people = std::sqrt(8 / chiSquare(random));  // τ
      const double difference = uniform(random) < kShare ? kEffect * normal(random) : 0;
      effect.push_back(difference * unit), deviation.push_back(people * unit);
      for (int n = 0; n < kSubjects; ++n) {
        const auto& row = design.rows[std::size_t(n)];
        const double own = hasVariances ? 0.2 + uniform(random) : 0;
        const double value = row[0] * difference + 0.3 * row[2] + 2 + people * normal(random) +
                             std::sqrt(own) * normal(random);
        const_cast<Series<float>&>(*input.maps[std::size_t(n)]).values[std::size_t(v)] = float(value * unit);
        if (hasVariances) variances[std::size_t(n)]->values[std::size_t(v)] = float(own * unit * unit);
      }
    }
  }

  PeoplePosterior posterior(int draws) const {
    const ContrastModel model = contrastModel(design, design.contrasts.front());
    return samplePeople(makePeopleSampler, peopleProblem(input, maps, voxels, model, 1), draws, {});
  }
};

struct PeopleModel : testing::TestWithParam<bool> {};

TEST_P(PeopleModel, HoldsWhatItPromises) {
  const Simulation made(6000, GetParam(), 1);
  const PeoplePosterior posterior = made.posterior(1500);
  EXPECT_NEAR(posterior.share, kShare, 0.06);
  EXPECT_NEAR(posterior.effectDeviation, kEffect, 0.15);
  EXPECT_LT(posterior.largestRatio, 1.2);

  // Effects of both signs that are shown at a false share of 5 %.
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

  // A probability is the share of voxels in which it is true.
  for (double low = 0; low < 1; low += 0.2) {
    double count = 0, promised = 0, right = 0;
    for (std::size_t v = 0; v < above.size(); ++v)
      if (above[v] >= low && above[v] < low + 0.2) ++count, promised += above[v], right += made.effect[v] > 0;
    if (count > 500) {
      EXPECT_NEAR(right / count, promised / count, 0.03) << "from " << low;
    }
  }

  // Intervals hold the truth.
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
  const Simulation one(500, true, 2), large(500, true, 2, 1024);
  const PeoplePosterior a = one.posterior(200), b = large.posterior(200);
  for (std::size_t v = 0; v < a.mean.size(); ++v) EXPECT_EQ(a.mean[v] * 1024, b.mean[v]);
}

}  // namespace
}  // namespace sulcus::group
