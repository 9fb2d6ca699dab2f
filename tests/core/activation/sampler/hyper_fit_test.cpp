#include "core/activation/sampler/hyper_fit.h"

#include "core/activation/sampler/diagnostics.h"
#include "core/base/parallel/parallel_for.h"
#include "tests/core/activation/model/gibbs_problems.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/same_draws.h"

#include <tuple>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

using test::expectSameBits;

TEST(HyperProposals, GiveTheSameBitsOnAnyNumberOfThreadsAndLanes) {
  for (const bool correlated : {false, true})
    for (const int k : {1, 3, 9}) {
      const int q = k == 9 ? 1 : 2;
      auto problem = correlated ? test::simulateCorrelated(700, k, q, 30, 1).problem
                                : test::simulate({700, 333}, k, q, 30, 1).problem;
      GibbsOptions options;
      options.draws = 60, options.burnIn = 8, options.thinning = 3;
      problem.fits = fitHyper(problem, 1, {});
      ASSERT_EQ(problem.fits.size(), problem.groups.size());
      const auto one = sampleGibbsOnLanes(1, problem, options, {}, Progress());
      for (const int lanes : {8, 0})
        for (const int threads : {1, 3})
          withThreads(threads, [&] {
            SCOPED_TRACE(testing::Message() << k << " regressors " << lanes << " lanes " << threads);
            EXPECT_EQ(fitHyper(problem, 1, {})[0].mode, problem.fits[0].mode);
            expectSameBits(one, sampleGibbsOnLanes(lanes, problem, options, {}, Progress()));
          });
    }
}

/// Effects with mean 0.1 j + 0.2 z₁ and s.d. 0.3, in many voxels.
TEST(HyperFit, FindsWhatVoxelsWereMadeWith) {
  const auto problem = test::simulate({8000}, 3, 2, 40, 5).problem;
  const auto fits = fitHyper(problem, 1, {});
  ASSERT_EQ(fits.size(), 1u);
  const GroupPrior prior = groupPrior(problem, problem.groups[0]);
  const HyperPoint mode = hyperPointAt(fits[0].mode, 2, prior);
  for (int j = 0; j < 3; ++j) {
    EXPECT_NEAR(mode.delta(0, j), 0.1 * j, 0.03) << j;
    EXPECT_NEAR(mode.delta(1, j), 0.2, 0.03) << j;
    EXPECT_NEAR(mode.factor.row(j).norm(), 0.3, 0.03) << j;
  }
}

TEST(HyperFit, IsForTheRegressorsItHasRoomFor) {
  const auto problem = test::simulate({100}, kMostFitted + 1, 1, 60, 5).problem;
  EXPECT_TRUE(fitHyper(problem, 1, {}).empty());
}

/// Proposals have the same posterior as draws given the coefficients, also if series contain very little
/// information.
TEST(HyperProposals, HaveTheSamePosterior) {
  for (const bool correlated : {false, true}) {
    auto problem = correlated ? test::simulateCorrelated(3000, 3, 1, 20, 3).problem
                              : test::simulate({3000}, 3, 1, 20, 3, 8).problem;
    if (correlated)
      for (float& h : problem.precision) h *= 0.1f;
    GibbsOptions options;
    options.draws = test::cases(8000), options.burnIn = options.draws / 10, options.thinning = 2;
    const GibbsResult drawn = sampleGibbs(problem, options, {}, Progress());
    problem.fits = fitHyper(problem, 1, {});
    ASSERT_EQ(problem.fits.size(), 1u);
    options.draws /= 8, options.burnIn /= 8, options.thinning = 1;
    const GibbsResult proposed = sampleGibbs(problem, options, {}, Progress());
    const auto moments = [&](const std::vector<double>& all, int size, int i) {
      std::vector<double> values;
      for (std::size_t at = std::size_t(i); at < all.size(); at += std::size_t(size))
        values.push_back(all[at]);
      double mean = 0, square = 0;
      for (const double x : values) mean += x / double(values.size());
      for (const double x : values) square += (x - mean) * (x - mean) / double(values.size());
      return std::tuple{mean, std::sqrt(square), convergence(values, options.chains).ess};
    };
    const auto expectSame = [&](const std::vector<double>& a, const std::vector<double>& b, int size, int i) {
      const auto [mean, sd, ess] = moments(a, size, i);
      const auto [otherMean, otherSd, otherEss] = moments(b, size, i);
      EXPECT_NEAR((otherMean - mean) / sd, 0, 4.5 / std::sqrt(std::min(ess, otherEss))) << i;
      EXPECT_NEAR(otherSd / sd, 1, 4.5 / std::sqrt(std::min(ess, otherEss))) << i;
      EXPECT_GT(otherEss, 0.1 * options.kept() * options.chains) << i;
    };
    for (int i = 0; i < 3; ++i) expectSame(drawn.delta, proposed.delta, 3, i);
    for (const int i : {0, 1, 2, 4, 5, 8}) expectSame(drawn.vBeta, proposed.vBeta, 9, i);
    for (std::size_t i = 0; i < drawn.moments.mean.size(); i += 7) {
      const std::size_t j = i / std::size_t(problem.voxels), v = i % std::size_t(problem.voxels);
      const double sd =
          std::sqrt(drawn.moments.covariance[(j * (j + 3) / 2) * std::size_t(problem.voxels) + v]);
      ASSERT_NEAR((proposed.moments.mean[i] - drawn.moments.mean[i]) / sd, 0, 0.05) << i;
    }
  }
}

}  // namespace
}  // namespace sulcus::activation
