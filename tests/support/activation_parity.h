#pragma once

#include "core/activation/sampler/gibbs.h"
#include "tests/support/for_each_seed.h"
#include "tests/support/gibbs_problem.h"
#include "tests/support/same_draws.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// One suite for every backend of the sampler, compared with sulcus::sampleGibbs.

namespace sulcus::test {

/// Largest |a − b| over the largest |b|; 1e30 if only one of the two is finite.
template <class T>
double largestDifference(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return 1e30;
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(a[i]) != std::isfinite(b[i])) return 1e30;
    if (!std::isfinite(b[i])) continue;
    largest = std::max(largest, std::abs(double(b[i])));
    difference = std::max(difference, std::abs(double(a[i]) - double(b[i])));
  }
  return largest > 0 ? difference / largest : difference;
}

struct GibbsCase {
  std::string name;
  GibbsProblemShape shape;
  int chains = 1;
  /// Whether chains stay together. With many axes of nearly equal spread, rounding decides their order.
  bool together = true;
  bool interwoven = true;
};
inline std::ostream& operator<<(std::ostream& out, const GibbsCase& c) { return out << c.name; }
inline std::string nameOfGibbsCase(const testing::TestParamInfo<GibbsCase>& info) { return info.param.name; }

/// Suite for a backend: derive, and specify where it can run (SetUp) and its function.
class GibbsParity : public testing::TestWithParam<GibbsCase> {
 protected:
  activation::GibbsOptions options(int draws, int burnIn, int thinning) const {
    activation::GibbsOptions options;
    options.draws = draws, options.burnIn = burnIn, options.thinning = thinning;
    options.interwoven = GetParam().interwoven;
    options.chains = GetParam().chains;
    return options;
  }

  /// The chains: hyperparameters of all iterations, and only the voxels of the last one.
  void expectTheSameTenIterations(activation::SampleGibbs* sample) {
    const int draws = std::max(3, cases(10));  // an iteration with one before and one after it
    const activation::GibbsProblem problem = makeGibbsProblem(GetParam().shape);
    const activation::GibbsOptions kept = options(draws, 0, 1), lastKept = options(draws, draws - 1, 1);
    const activation::GibbsResult all = sample(problem, kept, {}, {}),
                                  reference = activation::sampleGibbs(problem, kept, {}, {});
    EXPECT_LE(largestDifference(all.delta, reference.delta), 1e-4);
    EXPECT_LE(largestDifference(all.vBeta, reference.vBeta), 1e-4);
    EXPECT_EQ(all.hyper.size(), reference.hyper.size());

    const activation::GibbsMoments last = sample(problem, lastKept, {}, {}).moments,
                                   lastReference = activation::sampleGibbs(problem, lastKept, {}, {}).moments;
    EXPECT_LE(largestDifference(last.mean, lastReference.mean), 1e-4);
    EXPECT_LE(largestDifference(last.covariance, lastReference.covariance), 1e-4);
    EXPECT_LE(largestDifference(last.sigma2Mean, lastReference.sigma2Mean), 1e-4);
  }

  /// The posterior: rounding may separate two chains, but not the limit to which they converge.
  void expectTheSamePosterior(activation::SampleGibbs* sample) {
    GibbsProblemShape shape = GetParam().shape;
    if (!GetParam().together)
      shape.voxels = cases(int(shape.voxels));  // a draw with many regressors takes long
    const activation::GibbsProblem problem = makeGibbsProblem(shape);
    const auto k = std::size_t(problem.regressors), m = std::size_t(problem.voxels);
    const activation::GibbsOptions run = options(cases(300), cases(30), cases(3));
    const activation::GibbsResult result = sample(problem, run, {}, {}),
                                  reference = activation::sampleGibbs(problem, run, {}, {});
    const activation::GibbsMoments &a = result.moments, &b = reference.moments;

    ASSERT_EQ(a.mean.size(), k * m);
    std::size_t beyond = 0, finite = 0;
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t i = 0; i < m; ++i) {
        const double variance = b.covariance[(j * (j + 1) / 2 + j) * m + i];
        beyond += !(std::abs(double(a.mean[j * m + i]) - b.mean[j * m + i]) <=
                    5 * std::sqrt(variance / double(run.kept() * run.chains)));
        finite += std::isfinite(a.ess[j * m + i]) && a.ess[j * m + i] > 1 && std::isfinite(a.rhat[j * m + i]);
      }
    EXPECT_EQ(beyond, 0u) << "means further apart than five Monte Carlo errors";
    EXPECT_EQ(finite, k * m);
    if (!GetParam().together) return;
    // Numbers of every draw: a separate chain would differ by more than a percent.
    EXPECT_LE(largestDifference(a.mean, b.mean), 1e-3);
    EXPECT_LE(largestDifference(a.covariance, b.covariance), 1e-2);
    EXPECT_LE(largestDifference(a.sigma2Mean, b.sigma2Mean), 1e-2);
    EXPECT_LE(largestDifference(a.sigma2Var, b.sigma2Var), 5e-2);
  }

  /// Recorded and used draws are equal: a voxel drawn again has the σ² that was averaged.
  void expectThatVoxelsCanBeDrawnAgain(activation::SampleGibbs* sample) {
    const activation::GibbsProblem problem = makeGibbsProblem(GetParam().shape);
    const int k = problem.regressors;
    const activation::GibbsOptions run = options(cases(40), cases(8), 2);
    const activation::GibbsResult result = sample(problem, run, {}, {});
    for (const std::int64_t voxel : {std::int64_t(0), problem.voxels / 2, problem.voxels - 1}) {
      const auto draws = activation::replayVoxel(problem, run, result, voxel);
      double sum = 0;
      for (int chain = 0; chain < run.chains; ++chain)
        for (int t = 0; t < run.draws; ++t)
          if (run.isKept(t))
            sum += draws[(std::size_t(chain) * run.draws + t) * std::size_t(k + 1) + std::size_t(k)];
      EXPECT_NEAR(result.moments.sigma2Mean[std::size_t(voxel)] * run.kept() * run.chains / sum, 1, 1e-4)
          << voxel;
    }
  }
};

inline std::vector<GibbsCase> gibbsCases() {
  std::vector<GibbsCase> cases;
  // A voxel, warps, rows of threads, the share of a single block, and several blocks.
  for (const int voxels : {1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 1024, 2047, 2048, 2049, 2561, 20000})
    cases.push_back({"Voxels" + std::to_string(voxels), {voxels}});
  for (int k = 1; k <= 9; ++k)
    for (const int q : {1, 3})
      cases.push_back({"Regressors" + std::to_string(k) + "Covariates" + std::to_string(q), {700, k, q}});
  cases.push_back({"Regressors16", {400, 16, 1}});
  cases.push_back({"Regressors30Covariates2", {300, 30, 2, 1, 60}, 1, false});
  cases.push_back({"Covariates5", {700, 4, 5}});
  cases.push_back({"ManyBlocksCovariates4", {9000, 8, 4}});
  cases.push_back({"ManyBlocksRegressors12", {9000, 12, 1}});
  for (const int groups : {5, 46})
    for (const int chains : {1, 2})
      cases.push_back({"Groups" + std::to_string(groups) + "Chains" + std::to_string(chains),
                       {3011, 3, 1, groups},
                       chains});
  cases.push_back({"GroupsOfSeveralBlocks", {20000, 3, 2, 4}, 2});
  cases.push_back({"MoreGroupsThanBlocks", {4000, 2, 1, 400}, 1});
  cases.push_back({"FourChains", {3000, 5, 1}, 4});
  const auto correlated = [](GibbsProblemShape shape) {
    shape.correlated = true;
    return shape;
  };
  for (int k = 1; k <= 9; ++k)
    for (const int q : {1, 3})
      cases.push_back({"CorrelatedRegressors" + std::to_string(k) + "Covariates" + std::to_string(q),
                       correlated({700, k, q})});
  cases.push_back({"CorrelatedManyBlocks", correlated({20000, 5, 1}), 2});
  cases.push_back({"CorrelatedGroups", correlated({3011, 3, 2, 5}), 2});
  cases.push_back({"CorrelatedRegressors16", correlated({400, 16, 1}), 1, false});
  const auto parted = [](GibbsProblemShape shape, int blocks) {
    shape.blocks = blocks;
    return shape;
  };
  for (const int k : {2, 5, 8, 9}) {
    const std::string name = "Regressors" + std::to_string(k) + "Blocks";
    cases.push_back({name + "2", parted({700, k, 1}, 2), 2});
    cases.push_back({"Correlated" + name + "2", parted(correlated({700, k, 3}), 2)});
    if (k > 2) cases.push_back({name + std::to_string(k), parted({700, k, 1}, k), 2});
  }
  cases.push_back({"BlocksOfGroups", parted({3011, 5, 2, 5}, 2), 2});
  cases.push_back({"PlainGibbs", {3000, 5, 1}, 2, true, false});
  cases.push_back({"PlainGibbsCorrelated", correlated({700, 5, 3}), 1, true, false});
  cases.push_back({"PlainGibbsRegressors9", {700, 9, 2}, 1, true, false});
  const auto proposed = [](GibbsProblemShape shape) {
    shape.proposed = true;
    return shape;
  };
  for (const int k : {1, 2, 3, 5, 8, 9})
    for (const int q : {1, 3}) {
      const std::string name = "ProposedRegressors" + std::to_string(k) + "Covariates" + std::to_string(q);
      cases.push_back({name, proposed({3000, k, q}), 2});
      cases.push_back({"Correlated" + name, proposed(correlated({3000, k, q})), 2});
    }
  cases.push_back({"ProposedBlocks", proposed(parted(correlated({20000, 5, 1}), 3)), 2});
  cases.push_back({"ProposedGroups", proposed({9000, 3, 2, 5}), 2});
  return cases;
}

}  // namespace sulcus::test
