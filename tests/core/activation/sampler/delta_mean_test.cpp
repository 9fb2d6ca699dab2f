#include "core/activation/sampler/delta_mean.h"

#include "core/base/error.h"
#include "tests/support/gibbs_problem.h"

#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

GibbsOptions shortChain() {
  GibbsOptions options;
  options.draws = 400, options.burnIn = 100, options.chains = 1;
  return options;
}

GibbsProblem smallProblem() { return test::makeGibbsProblem({60, 2, 2}); }

Eigen::MatrixXd someMean() {
  Eigen::MatrixXd mean(2, 2);
  mean << 3, -1, 0.5, 2;
  return mean;
}

TEST(DeltaMean, IsReadFromRowsOfNumbers) {
  EXPECT_EQ(deltaMeanFrom("", 2, 3).size(), 0);
  EXPECT_EQ(deltaMeanFrom(" ; ", 2, 3).size(), 0);
  Eigen::MatrixXd wanted(2, 3);
  wanted << 1, 0, -2.5, 0, 0, 0;
  EXPECT_EQ(deltaMeanFrom("1, 0 -2.5", 2, 3), wanted);
  wanted.row(1) << 4, 5, 6;
  EXPECT_EQ(deltaMeanFrom("1 0 -2.5; 4 5 6", 2, 3), wanted);
  for (const char* text : {"1 2", "1 2 3 4", "1 2 3; 4 5 6; 7 8 9", "1 two 3", "1 inf 3"})
    EXPECT_THROW(deltaMeanFrom(text, 2, 3), Error) << text;
}

TEST(DeltaMean, OfZeroChangesNothing) {
  const auto problem = smallProblem();
  const auto plain = sampleGibbs(problem, shortChain(), {}, {});
  const auto around = sampleAround({}, sampleGibbs, problem, shortChain(), {}, {});
  EXPECT_EQ(plain.delta, around.delta);
  EXPECT_EQ(plain.moments.mean, around.moments.mean);
}

TEST(DeltaMean, HoldsDeltaWhereItsPriorIsStrong) {
  auto problem = smallProblem();
  problem.a = 1e8;
  const auto mean = someMean();
  const auto result = sampleAround(mean, sampleGibbs, problem, shortChain(), {}, {});
  for (std::size_t i = 0; i < result.delta.size(); ++i)
    EXPECT_NEAR(result.delta[i], mean(int(i % 4) % 2, int(i % 4) / 2), 0.02);
  const auto around0 = sampleGibbs(problem, shortChain(), {}, {});
  EXPECT_NEAR(around0.delta.front(), 0, 0.02) << "without it Δ is held at 0";
}

TEST(DeltaMean, MovesWithTheData) {
  // β + Δ̄'z with prior mean Δ̄ is the problem of β with prior mean 0.
  auto problem = smallProblem();
  problem.a = 5;
  const auto plain = sampleGibbs(problem, shortChain(), {}, {});
  const auto mean = someMean();
  GibbsProblem moved = problem;
  const Eigen::MatrixXd gamma = mean * problem.factor;
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t c = 0; c < 2; ++c)
        moved.estimate[j * 60 + i] += float(gamma(int(c), int(j)) * problem.z[c * 60 + i]);
  const auto result = sampleAround(mean, sampleGibbs, moved, shortChain(), {}, {});
  for (std::size_t i = 0; i < plain.delta.size(); ++i)
    EXPECT_NEAR(result.delta[i], plain.delta[i] + mean(int(i % 4) % 2, int(i % 4) / 2), 2e-3);
  // The chain of a voxel is drawn again from the stored hyperparameters.
  const auto chain = replayVoxel(moved, shortChain(), result, 7),
             known = replayVoxel(problem, shortChain(), plain, 7);
  ASSERT_EQ(chain.size(), known.size());
  for (std::size_t t = 0; t < chain.size(); t += 3) {
    const double first = mean(0, 0) * problem.z[7] + mean(1, 0) * problem.z[67];
    EXPECT_NEAR(chain[t], known[t] + first, 5e-3);
  }
}

}  // namespace
}  // namespace sulcus::activation
