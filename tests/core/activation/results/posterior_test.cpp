#include "core/activation/results/posterior.h"

#include "tests/core/activation/activation_inputs.h"

#include <algorithm>

namespace sulcus::activation {
namespace {

using test::optionsWith, test::phantomResult, test::wavesInput;

/// Mean and s.d. of c'β in one voxel given σ² and the hyperparameters of each iteration. Averages of
/// quantities derived from them have hardly any Monte Carlo error.
struct Conditional {
  std::vector<double> mean, sd;
};

Conditional conditionalOf(const ActivationResult& result, const std::vector<double>& weights,
                          std::int64_t voxel) {
  const GibbsProblem& problem = *result.problem;
  const int k = problem.regressors, q = problem.covariates, draws = result.sampling.draws;
  const HyperLayout layout{k, q};
  const auto beta = replayVoxel(problem, result.sampling, *result.samples, voxel);
  const Eigen::VectorXd c = problem.factor.triangularView<Eigen::Lower>().solve(
      Eigen::Map<const Eigen::VectorXd>(weights.data(), k));
  Conditional found;
  for (int chain = 0; chain < result.sampling.chains; ++chain)
    for (int t = std::max(result.sampling.burnIn, 1); t < draws; ++t) {
      const std::size_t at = std::size_t(chain) * std::size_t(draws) + std::size_t(t);
      const float* hyper = result.samples->hyper.data() + at * std::size_t(layout.size());
      const double sigma2 = beta[(at - 1) * std::size_t(k + 1) + std::size_t(k)];
      double mean = 0, variance = 0;
      for (int a = 0; a < k; ++a) {
        double along = 0, estimate = 0, prior = 0;
        for (int r = 0; r < k; ++r) {
          const double axis = hyper[layout.axes() + r * k + a];
          along += axis * c(r);
          estimate += axis * problem.estimate[std::size_t(r * problem.voxels + voxel)];
        }
        for (int z = 0; z < q; ++z)
          prior +=
              double(hyper[layout.means() + a * q + z]) * problem.z[std::size_t(z * problem.voxels + voxel)];
        const double scale = hyper[layout.scales() + a], share = scale / (scale + sigma2);
        mean += along * (prior + share * (estimate - prior));
        variance += along * along * share * sigma2;
      }
      found.mean.push_back(mean);
      found.sd.push_back(std::sqrt(variance));
    }
  return found;
}

double tail(const Conditional& given, double limit) {
  double p = 0;
  for (std::size_t t = 0; t < given.mean.size(); ++t)
    p += std::erfc((limit - given.mean[t]) / given.sd[t] / std::numbers::sqrt2) / 2;
  return p / double(given.mean.size());
}

TEST(Posterior, ProbabilitiesAreThoseOfALongRun) {
  const auto input = wavesInput({16, 12, 1}, 45, 3, 5);
  auto options = optionsWith(Response::standardized, 10000);
  options.thinning = 5;
  const auto result = analyzeActivation(input, options, {});
  const std::vector<std::vector<double>> contrasts{{0, 1, 0}, {0, 0, 1}, {0, 1, -1}};
  double largest = 0, largestOfNormal = 0;
  for (const auto& c : contrasts) {
    const auto moments = contrastMoments(result, c);
    for (std::int64_t voxel = 0; voxel < result.count(); voxel += 11) {
      const auto given = conditionalOf(result, c, voxel);
      const auto at = std::size_t(voxel);
      for (const double z : {-2.0, -1.5, -0.5, 0.0, 0.5, 1.5, 2.0}) {
        const double limit = moments.mean[at] + z * moments.sd[at], p = tail(given, limit);
        largest = std::max(largest, std::abs(exceedanceAt(result, c, limit, voxel) - p));
        largestOfNormal = std::max(largestOfNormal, std::abs(std::erfc(z / std::numbers::sqrt2) / 2 - p));
      }
    }
  }
  EXPECT_LT(largest, 0.003);
  EXPECT_GT(largestOfNormal, 2 * largest);  // otherwise the simpler distribution would suffice
}

TEST(Posterior, MomentsOfAContrastFollowFromThoseOfTheCoefficients) {
  const auto& result = *phantomResult();
  const std::vector<double> c{0.5, -1, 2};
  const auto moments = contrastMoments(result, c);
  const std::size_t m = std::size_t(result.count());
  for (std::size_t i = 0; i < m; i += 97) {
    double mean = 0, variance = 0;
    std::size_t entry = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      mean += c[r] * result.mean[r * m + i];
      for (std::size_t s = 0; s <= r; ++s, ++entry)
        variance += (r == s ? 1 : 2) * c[r] * c[s] * result.covariance[entry * m + i];
    }
    EXPECT_NEAR(moments.mean[i], mean, 1e-5 * std::abs(mean));
    EXPECT_NEAR(moments.sd[i], std::sqrt(variance), 1e-4 * std::sqrt(variance));
  }
}

TEST(Posterior, MeansAndDeviationsAreThoseOfTheDraws) {
  const auto& result = *phantomResult();
  const std::vector<double> c{0, 1, -1};
  const auto moments = contrastMoments(result, c);
  for (std::int64_t voxel = 3; voxel < result.count(); voxel += 701) {
    const auto draws = replayVoxel(*result.problem, result.sampling, *result.samples, voxel);
    double sum = 0, squares = 0, n = 0;
    for (int chain = 0; chain < result.sampling.chains; ++chain)
      for (int t = result.sampling.burnIn; t < result.sampling.draws; ++t, ++n) {
        const float* beta = draws.data() + (std::size_t(chain) * result.sampling.draws + t) * 4;
        const double x = double(beta[1]) - beta[2];
        sum += x, squares += x * x;
      }
    const double mean = sum / n, sd = std::sqrt(squares / n - mean * mean);
    EXPECT_NEAR(moments.mean[std::size_t(voxel)], mean, 5 * sd / std::sqrt(n / 3));
    EXPECT_NEAR(moments.sd[std::size_t(voxel)], sd, 0.08 * sd);
  }
}

TEST(Posterior, OfAllVoxelsIsThatOfEach) {
  const auto& result = *phantomResult();
  const std::vector<double> c{0, 1, 0};
  const auto p = exceedance(result, c, 0.4);
  const auto ends = credibleInterval(result, c, 0.9);
  for (std::int64_t i = 0; i < result.count(); i += 211) {
    EXPECT_NEAR(p[std::size_t(i)], exceedanceAt(result, c, 0.4, i), 1e-6);
    EXPECT_NEAR(ends.low[std::size_t(i)], credibleIntervalAt(result, c, 0.9, i).low, 1e-5);
  }
}

TEST(Posterior, IntervalsHoldTheirShareOfTheProbability) {
  const auto& result = *phantomResult();
  const std::vector<double> c{0, 1, 1};
  for (const double share : {0.5, 0.9, 0.99}) {
    const auto ends = credibleInterval(result, c, share);
    for (std::int64_t i = 0; i < result.count(); i += 211) {
      const auto at = std::size_t(i);
      EXPECT_NEAR(exceedanceAt(result, c, ends.low[at], i), (1 + share) / 2, 2e-4);
      EXPECT_NEAR(exceedanceAt(result, c, ends.high[at], i), (1 - share) / 2, 2e-4);
    }
  }
}

TEST(Posterior, IsCertainFarFromTheThreshold) {
  const auto& result = *phantomResult();
  const std::vector<double> intercept{1, 0, 0}, nothing{0, 0, 0};
  for (const float p : exceedance(result, intercept, 0)) EXPECT_EQ(p, 1);
  for (const float p : exceedance(result, intercept, 1e6)) EXPECT_LT(p, 1e-30);
  for (const float p : exceedance(result, nothing, -1)) EXPECT_EQ(p, 1);
}

TEST(Posterior, OfAPreviewIsNormal) {
  auto result = *phantomResult();
  result.groups.clear();
  const std::vector<double> c{0, 1, 0};
  const auto moments = contrastMoments(result, c);
  const auto p = exceedance(result, c, 0.2);
  for (std::size_t i = 0; i < p.size(); i += 97)
    EXPECT_NEAR(p[i], std::erfc((0.2 - moments.mean[i]) / moments.sd[i] / std::numbers::sqrt2) / 2, 2e-6);
}

TEST(HighestDensity, IsTheShortestIntervalWithThatShare) {
  std::vector<float> values;
  for (int i = 0; i < 95; ++i) values.push_back(float(i) / 100);
  for (const float far : {-5.0f, -4.0f, 7.0f, 8.0f, 9.0f}) values.insert(values.begin(), far);
  EXPECT_EQ(highestDensity(values, 0.95), (Range{0, double(0.94f)}));
  EXPECT_EQ(highestDensity(values, 1), (Range{-5, 9}));
  EXPECT_EQ(highestDensity(std::vector<float>{3}, 0.95), (Range{3, 3}));
}

TEST(FalseDiscoveryRate, KeepsTheLargestSetThatObeysIt) {
  const std::vector<float> p{0.5f, 1.0f, 0.9f, 0.99f, 0.95f};  // mean errors 0, 0.005, 0.02, 0.04, 0.132
  EXPECT_FLOAT_EQ(float(fdrThreshold(p, 0.05)), 0.9f);
  EXPECT_FLOAT_EQ(float(fdrThreshold(p, 0.01)), 0.99f);
  EXPECT_FLOAT_EQ(float(fdrThreshold(p, 0.2)), 0.5f);
  EXPECT_GT(fdrThreshold(std::vector<float>{0.5f, 0.6f}, 0.1), 1);
  // Equal probabilities are treated alike: with one of the two 0.8 the mean error would be 0.1, with both
  // 0.133.
  EXPECT_FLOAT_EQ(float(fdrThreshold(std::vector<float>{1.0f, 0.8f, 0.8f, NAN}, 0.11)), 1.0f);
}

}  // namespace
}  // namespace sulcus::activation
