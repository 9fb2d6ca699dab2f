#include "core/activation/activation_memory.h"

#include "tests/support/gibbs_problem.h"
#include "tests/support/heap.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

template <class T>
double bytesOf(const std::vector<T>& values) {
  return double(values.size() * sizeof(T));
}

double bytesOf(const GibbsMoments& m) {
  return bytesOf(m.mean) + bytesOf(m.covariance) + bytesOf(m.sigma2Mean) + bytesOf(m.sigma2Var) +
         bytesOf(m.rhat) + bytesOf(m.ess);
}

TEST(GibbsBytes, AreWhatTheSamplerAllocates) {
  if (test::heapInUse() == 0) GTEST_SKIP() << "the allocator does not tell";
  for (const auto& shape :
       {test::GibbsProblemShape{.voxels = 40'000, .regressors = 5, .covariates = 1, .groups = 1},
        test::GibbsProblemShape{.voxels = 20'000, .regressors = 3, .covariates = 3, .groups = 7},
        test::GibbsProblemShape{.voxels = 30'000, .regressors = 6, .correlated = true},
        test::GibbsProblemShape{.voxels = 3000, .regressors = 2, .covariates = 2, .groups = 2}}) {
    const GibbsProblem problem = test::makeGibbsProblem(shape);
    GibbsOptions options;
    options.draws = 40, options.burnIn = 10, options.chains = 3;
    sampleGibbs(problem, options, {}, {});  // allocates the threads' permanent memory

    const double before = double(test::heapInUse());
    double most = 0;
    const auto look = [&](double, std::string_view) {
      most = std::max(most, double(test::heapInUse()) - before);
    };
    const GibbsResult result = sampleGibbs(problem, options, {}, Progress({}, look));

    // The moments are computed after the last call of Progress.
    const double allocated = most + bytesOf(result.moments), promised = gibbsBytes(problem, options);
    EXPECT_NEAR(allocated, promised, 0.02 * promised) << shape.voxels << " voxels";
  }
}

TEST(ActivationBytes, OnlyAdd) {
  GibbsProblem problem;
  problem.regressors = 5, problem.voxels = 1000, problem.groups.resize(1);
  Grid grid;
  grid.size = {20, 20, 20};
  GibbsOptions options;
  const double one = activationBytes(problem, options, grid, 1);
  EXPECT_GT(one, gibbsBytes(problem, options));
  EXPECT_EQ(activationBytes(problem, options, grid, 2) - one, 4 * (9 * 8000 + 9 * 1000));
}

}  // namespace
}  // namespace sulcus::activation
