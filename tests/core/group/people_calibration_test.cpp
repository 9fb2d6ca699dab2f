// Simulation-based calibration (Talts et al. 2018, arXiv:1804.06788): parameters are drawn from a prior, data
// from them, and the share of the posterior's draws below the truth must be uniform.
#include "core/activation/results/posterior.h"
#include "tests/core/group/simulated_people.h"
#include "tests/support/for_each_seed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

/// The draws of the shared parameters in the last run.
struct SharedDraws {
  std::vector<double> share, slab, typical, freedom;
};
SharedDraws& sharedDraws() {
  static SharedDraws draws;
  return draws;
}

/// Records the shared parameters of the draws that are kept.
class NotingSampler final : public PeopleSampler {
 public:
  NotingSampler(const PeopleProblem& problem, int chains)
      : inner_(makePeopleSampler(problem, chains)), unit_(problem.unit) {
    ownFreedom_ = problem.freedom + 1;
  }
  void begin(std::span<const float> effect, std::span<const float> variance) override {
    inner_->begin(effect, variance);
  }
  PeopleSums draw(const PeopleHyper& hyper, bool isKept) override {
    if (isKept) {
      SharedDraws& draws = sharedDraws();
      const double freedom = 2 * double(hyper.variances.d) + 2. / 3 - ownFreedom_;  // see ChiSquare
      draws.share.push_back(1 / (1 + std::exp(-double(hyper.logOdds))));
      draws.slab.push_back(std::sqrt(double(hyper.slab)) * unit_);
      draws.freedom.push_back(freedom);
      draws.typical.push_back(std::sqrt(double(hyper.priorSum) / freedom) * unit_);
    }
    return inner_->draw(hyper, isKept);
  }
  PeopleTotals totals() override { return inner_->totals(); }

 private:
  std::unique_ptr<PeopleSampler> inner_;
  double unit_, ownFreedom_;
};

std::unique_ptr<PeopleSampler> makeNoting(const PeopleProblem& problem, int chains) {
  return std::make_unique<NotingSampler>(problem, chains);
}

double shareBelow(const std::vector<double>& draws, double truth) {
  return double(std::ranges::count_if(draws, [&](double draw) { return draw < truth; })) /
         double(draws.size());
}

/// The share of a voxel's draws below the truth; of draws equal to it, and of those in its bin, a random
/// part.
double rankOf(const PeoplePosterior& posterior, std::size_t voxel, double truth, double random) {
  const std::uint16_t* bins = &posterior.histogram[voxel * PeopleTotals::kBins];
  const double zeros = bins[PeopleTotals::kBins - 1];
  const int own = truth == 0 ? PeopleTotals::kHalf : binOf(float(truth), posterior.reach[voxel]);
  double below = 0;
  for (int b = 0; b < own; ++b) below += bins[b];
  if (truth == 0) return (below + random * zeros) / posterior.draws;
  return (below + random * bins[own] + (truth > 0 ? zeros : 0)) / posterior.draws;
}

/// The largest distance of the distribution of numbers from a uniform one, times the square root of their
/// number: 1.95 is exceeded once in 1000 times (Kolmogorov).
double distanceFromUniform(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const double n = double(numbers.size());
  double most = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    most = std::max({most, std::abs(numbers[i] - double(i) / n), std::abs(numbers[i] - double(i + 1) / n)});
  return most * std::sqrt(n);
}

constexpr double kOnceInThousand = 1.95;

struct PeopleCalibration : testing::TestWithParam<bool> {};

TEST_P(PeopleCalibration, RanksOfTheTruthAreUniform) {
  constexpr int kVoxels = 1500, kDraws = 700;
  const int studies = test::cases(60);
  std::mt19937 random(GetParam() ? 21 : 20);
  std::uniform_real_distribution<double> uniform;
  std::array<std::vector<double>, 5> ranks;
  for (int study = 0; study < studies; ++study) {
    PeopleTruth truth;
    truth.hasVariances = GetParam();
    truth.share = 0.1 + 0.8 * uniform(random);
    truth.effect = 1.5 * std::exp(uniform(random));
    truth.typical = std::exp(uniform(random) - 0.5);
    truth.freedom = 4 * std::exp(2 * uniform(random));
    const SimulatedPeople made(kVoxels, truth, unsigned(1000 + study));
    sharedDraws() = {};
    const PeoplePosterior posterior = made.posterior(kDraws, makeNoting);
    const SharedDraws& draws = sharedDraws();
    ranks[0].push_back(shareBelow(draws.share, truth.share));
    ranks[1].push_back(shareBelow(draws.slab, truth.effect));
    ranks[2].push_back(shareBelow(draws.typical, truth.typical));
    ranks[3].push_back(shareBelow(draws.freedom, truth.freedom));
    for (std::size_t v = 0; v < 4; ++v)  // only a few voxels, which are nearly independent
      ranks[4].push_back(rankOf(posterior, v, made.effect[v], uniform(random)));
  }
  const char* const names[]{"share with an effect", "s.d. of effects", "typical s.d. of people",
                            "degrees of freedom", "effect of a voxel"};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const double distance = distanceFromUniform(ranks[i]);
    std::printf("%s: %.2f of %zu ranks\n", names[i], distance, ranks[i].size());
    EXPECT_LT(distance, kOnceInThousand) << names[i];
  }
}
INSTANTIATE_TEST_SUITE_P(WithoutAndWith, PeopleCalibration, testing::Bool(),
                         [](const auto& given) { return given.param ? "variances" : "none"; });

/// The share of false effects among those of either sign shown at a false share of 5 %, over several studies.
struct Shown {
  double count = 0, wrong = 0;
  double worst = 0;  ///< in one study
};
Shown shownOver(int studies, const PeopleTruth& truth, unsigned seed) {
  Shown shown;
  for (int study = 0; study < studies; ++study) {
    const SimulatedPeople made(4000, truth, seed + unsigned(study));
    const PeoplePosterior posterior = made.posterior(600);
    const auto above = posterior.exceedance(0, false), below = posterior.exceedance(0, true);
    const Shown before = shown;
    for (const auto* side : {&above, &below}) {
      const double threshold = activation::fdrThreshold(*side, 0.05);
      for (std::size_t v = 0; v < side->size(); ++v) {
        if ((*side)[v] < threshold) continue;
        ++shown.count;
        shown.wrong += !(side == &above ? made.effect[v] > 0 : made.effect[v] < 0);
      }
    }
    const double own = shown.count - before.count;
    if (own >= 100) shown.worst = std::max(shown.worst, (shown.wrong - before.wrong) / own);
  }
  return shown;
}

/// What all voxels of a person share, and what all people share in a voxel, in s.d. between people.
struct Common {
  double ofPerson, ofPlace;
  double share = 0.3, effect = 2;
};
struct PeopleFalseShare : testing::TestWithParam<Common> {};

TEST_P(PeopleFalseShare, IsHeldWithCommonNoise) {
  PeopleTruth truth;
  truth.people = 24;
  truth.ofPerson = GetParam().ofPerson;
  truth.ofPlace = GetParam().ofPlace;
  truth.share = GetParam().share;
  truth.effect = GetParam().effect;
  const Shown shown = shownOver(test::cases(12), truth, 500);
  std::printf(
      "%.2f with an effect of s.d. %.1f; of a person %.1f, of a place %.1f: %.0f shown, %.4f false, at most "
      "%.4f\n",
      truth.share, truth.effect, truth.ofPerson, truth.ofPlace, shown.count, shown.wrong / shown.count,
      shown.worst);
  EXPECT_GT(shown.count, 500);
  EXPECT_NEAR(shown.wrong / shown.count, 0.05, 0.02);
}
INSTANTIATE_TEST_SUITE_P(Of, PeopleFalseShare,
                         testing::Values(Common{0, 0}, Common{0, 1}, Common{0.3, 0}, Common{0.6, 0},
                                         Common{0.6, 1}, Common{0, 0, 0.1, 1}, Common{0.3, 0, 0.1, 1},
                                         Common{0.6, 0, 0.1, 1}, Common{1, 0, 0.1, 1}),
                         [](const auto& given) {
                           return "person" + std::to_string(int(10 * given.param.ofPerson)) + "place" +
                                  std::to_string(int(10 * given.param.ofPlace)) + "share" +
                                  std::to_string(int(10 * given.param.share));
                         });

}  // namespace
}  // namespace sulcus::group
