#include "core/activation/model/common_noise.h"

#include "core/activation/model/hyper_prior_kernel.h"
#include "core/activation/model/least_squares.h"
#include "core/activation/model/noise.h"
#include "core/activation/results/contrast_estimates.h"
#include "core/activation/sampler/beta_from_gamma.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {
namespace {

constexpr std::int64_t kMostSeries = 4096, kMostEstimates = 16384;  // number of sampled voxels of a group
constexpr double kTold = 0.01;                                      // share of the noise that merits a note
constexpr double kErrorOfMad = 2.33;  // √M times the s.e. of a variance estimated from the median absolute
                                      // deviation

/// An even sample of at most `most` voxels of a group, as indices 0 … M − 1.
std::vector<std::int64_t> someOf(const GibbsGroup& group, std::int64_t most) {
  const std::int64_t step = (group.end - group.begin + most - 1) / most;
  std::vector<std::int64_t> some;
  for (std::int64_t i = group.begin; i < group.end; i += step) some.push_back(i);
  return some;
}

/// The mean series of a group.
struct MeanSeries {
  double variance = 0;         ///< of its noise
  Eigen::MatrixXd covariance;  ///< covariance of its γ̂ divided by `variance`, k × k
};

/// Regresses a mean series with its own memory.
MeanSeries fitMean(const Eigen::VectorXd& mean, const Eigen::MatrixXd& q, const std::vector<Run>& runs,
                   const Partials& partials, int k, double freedom) {
  const NoiseFilter filter(partials);
  Eigen::MatrixXd whitened(q.rows(), q.cols());
  for (Eigen::Index j = 0; j < q.cols(); ++j) whitened.col(j) = filter.whitened(q.col(j), runs);
  const Eigen::VectorXd series = filter.whitened(mean, runs);
  const Eigen::MatrixXd precision = whitened.transpose() * whitened;
  const Eigen::VectorXd right = whitened.transpose() * series;
  const double rss = series.squaredNorm() - right.dot(solvePositiveDefinite(precision, right));
  // Minus two: the variance of a t distribution with that many degrees of freedom.
  return {std::max(rss, 0.0) / std::max(freedom - 2, 1.0), inverse(precision).bottomRightCorner(k, k)};
}

/// Least-squares estimates of some voxels and their squared standard errors, k × voxels, in Tβ.
struct Estimates {
  Eigen::MatrixXf effects, squares;
};
Estimates estimatesOf(const GibbsProblem& problem, const Eigen::MatrixXd& toBeta,
                      const std::vector<std::int64_t>& voxels) {
  const int k = problem.regressors;
  const double freedom = problem.scans - k;
  Estimates found{Eigen::MatrixXf(k, std::ssize(voxels)), {}};
  found.squares = found.effects;
  Eigen::VectorXd gamma(k), squares = toBeta.rowwise().squaredNorm();
  for (std::size_t v = 0; v < voxels.size(); ++v) {
    const std::int64_t i = voxels[v];
    for (int a = 0; a < k; ++a) gamma(a) = problem.estimate[a * problem.voxels + i];
    if (problem.correlated)
      squares = solveLower(choleskyFactor(precisionAt(problem, i)), Eigen::MatrixXd(toBeta.transpose()))
                    .colwise()
                    .squaredNorm()
                    .transpose();
    found.effects.col(Eigen::Index(v)) = (toBeta * gamma).cast<float>();
    found.squares.col(Eigen::Index(v)) = (problem.residual[i] / freedom * squares).cast<float>();
  }
  return found;
}

/// Median of a coefficient over the voxels, and the variance of its middle half minus the contribution of the
/// errors, with its own error.
std::pair<double, double> medianAndSpread(const Eigen::VectorXf& effects, const Eigen::VectorXf& squares,
                                          double freedom) {
  std::vector<float> sorted(effects.begin(), effects.end()), ofErrors(squares.begin(), squares.end()), away;
  const double median = upperMedian(std::span(sorted)), error = upperMedian(std::span(ofErrors));
  for (Eigen::Index i = 0; i < effects.size(); ++i)
    if (squares(i) > 0)
      away.push_back(
          float(std::abs(normalFromT((effects(i) - median) / std::sqrt(double(squares(i))), freedom))));
  if (away.empty()) return {median, 0};
  const auto count = double(away.size());
  const double scale = kDeviationPerMedian * upperMedian(std::span(away));
  return {median, error * (std::max(scale * scale - 1, 0.0) + kErrorOfMad / std::sqrt(count))};
}

/// The distribution of η in a group.
///
/// @param covariance  Σ of γ
CommonError errorOf(const GibbsProblem& problem, const ActivationResult& result, const GibbsGroup& group,
                    const Eigen::MatrixXd& covariance) {
  const int k = problem.regressors;
  const Eigen::MatrixXd centering = centeringOf(result.design), toBeta = centering * betaFromGamma(problem);
  const Estimates estimates = estimatesOf(problem, toBeta, someOf(group, kMostEstimates));
  const Eigen::MatrixXd sigma = toBeta * covariance * toBeta.transpose();
  Eigen::VectorXd middle(k);
  Eigen::MatrixXd total = sigma;
  for (int j = 0; j < k; ++j) {
    const auto [median, spread] =
        medianAndSpread(estimates.effects.row(j), estimates.squares.row(j), double(problem.scans - k));
    middle(j) = median;
    total(j, j) += spread;
  }
  if (result.deltaMean.size() > 0) middle -= centering * result.deltaMean.row(0).transpose();
  const Eigen::MatrixXd gain = sigma * inverse(total), toGamma = inverse(toBeta);
  const Eigen::MatrixXd rest = toGamma * (sigma - gain * sigma) * toGamma.transpose();
  const SymmetricEigen eigen = symmetricEigen((rest + rest.transpose()) / 2);
  return {toGamma * (gain * middle),
          eigen.vectors * eigen.values.cwiseMax(0).cwiseSqrt().asDiagonal().toDenseMatrix()};
}

/// η in γ at an iteration, drawn from its distribution.
Eigen::VectorXd commonErrorAt(const CommonError& law, PhiloxKey key, int group, int chain, int iteration) {
  const auto k = int(law.mean.size());
  Eigen::VectorXd normal(k + 3);
  for (int b = 0; 4 * b < k; ++b) {
    std::uint32_t words[4] = {kCommonErrors + std::uint32_t(b), std::uint32_t(iteration),
                              std::uint32_t(group), std::uint32_t(chain) | kHyperStream};
    philox(words, key);
    float n[4];
    normalPair(words[0], words[1], n[0], n[1]);
    normalPair(words[2], words[3], n[2], n[3]);
    for (int i = 0; i < 4; ++i)
      if (4 * b + i < k) normal(4 * b + i) = double(n[i]);
  }
  return law.mean + law.root * normal.head(k);
}

/// Takes the common error of a group out of the posterior of its voxels, of m in all.
void takeFromMoments(const GibbsGroup& group, std::size_t m, GibbsMoments& moments) {
  const auto add = [&](std::vector<float>& numbers, Eigen::Index row, double value) {
    for (std::int64_t i = group.begin; i < group.end; ++i) {
      float& number = numbers[std::size_t(row) * m + i];
      number = float(number + value);
    }
  };
  const Eigen::MatrixXd covariance = group.common.root * group.common.root.transpose();
  for (Eigen::Index a = 0, at = 0; a < group.common.mean.size(); ++a) {
    add(moments.mean, a, -group.common.mean(a));
    for (Eigen::Index b = 0; b <= a; ++b, ++at) add(moments.covariance, at, covariance(a, b));
  }
}

/// Takes an error of β out of the means of all voxels in one draw of Δ, q × k by columns.
void takeFromMeans(const Eigen::VectorXd& error, int q, std::size_t draw, std::vector<double>& delta) {
  double* mean = delta.data() + draw * std::size_t(q) * std::size_t(error.size());
  for (Eigen::Index j = 0; j < error.size(); ++j, mean += q) *mean -= error(j);
}

}  // namespace

void findCommonNoise(const ActivationInput& input, const ActivationOptions& options, const Eigen::MatrixXd& q,
                     ActivationResult& result, GibbsProblem& problem, const Progress& progress) {
  if (!options.commonNoise) {
    result.notes.push_back(
        "Voxels are treated as independent (the paper's model): noise they share, e.g. from breathing, makes "
        "all estimates overconfident.");
    return;
  }
  const double freedom = problem.scans - problem.regressors;
  if (freedom < 1) return;
  const std::vector<Run> runs = result.design.runs();
  const std::size_t groups = problem.groups.size();
  Eigen::MatrixXd means(q.rows(), Eigen::Index(groups));
  std::vector<double> variance(groups, 0.0), alone(groups, 0.0);  // of a voxel's noise, and the same divided
                                                                  // by their number
  for (std::size_t g = 0; g < groups; ++g) {
    const auto some = someOf(problem.groups[g], kMostSeries);
    std::vector<std::int64_t> voxels;
    for (const std::int64_t i : some) {
      voxels.push_back(result.voxels[i]);
      variance[g] += problem.residual[i] / freedom / double(some.size());
    }
    alone[g] = variance[g] / double(some.size());
    means.col(Eigen::Index(g)) =
        responsesOf(*input.bold, runs, options.response, voxels,
                    progress.part(double(g) / double(groups), double(g + 1) / double(groups), "Common noise"))
            .rowwise()
            .mean();
  }
  means -= q * (q.transpose() * means).eval();
  const std::vector<Partials> memory = memoryOfSeries(means, q, runs, options.noise);
  double shared = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const MeanSeries mean =
        fitMean(means.col(Eigen::Index(g)), q, runs, memory[g], problem.regressors, freedom);
    const double common = mean.variance - alone[g];
    if (!(common > 0)) continue;
    problem.groups[g].common = errorOf(problem, result, problem.groups[g], common * mean.covariance);
    shared += common / variance[g] / double(groups);
  }
  if (shared >= kTold)
    result.notes.push_back(
        text("Common noise: ", std::lround(100 * shared),
             " % of the noise variance is shared by all voxels. The error this causes is allowed for: the "
             "mean of all voxels is no more certain than the regression of their mean series."));
}

GibbsResult withoutCommonError(const GibbsProblem& problem, const GibbsOptions& options, GibbsResult result) {
  const auto isKnown = [](const GibbsGroup& group) { return group.common.isKnown(); };
  if (std::ranges::none_of(problem.groups, isKnown)) return result;
  const std::size_t groups = problem.groups.size();
  const Eigen::MatrixXd toBeta = betaFromGamma(problem);
  result.commonErrors.assign(std::size_t(options.chains) * groups * options.draws * problem.regressors, 0.0f);
  for (std::size_t g = 0; g < groups; ++g) {
    const GibbsGroup& group = problem.groups[g];
    if (!group.common.isKnown()) continue;
    takeFromMoments(group, std::size_t(problem.voxels), result.moments);
    for (int chain = 0; chain < options.chains; ++chain)
      for (int t = 0; t < options.draws; ++t) {
        const Eigen::VectorXd error = commonErrorAt(group.common, options.seed, int(g), chain, t);
        const std::size_t task = std::size_t(chain) * groups + g;
        const std::size_t draw = task * std::size_t(options.draws) + std::size_t(t);
        Eigen::Map<Eigen::VectorXf>(result.commonErrors.data() + draw * std::size_t(error.size()),
                                    error.size()) = error.cast<float>();
        if (!options.isKept(t)) continue;
        const std::size_t kept = task * std::size_t(options.kept()) + std::size_t(options.keptBefore(t));
        takeFromMeans(toBeta * error, problem.covariates, kept, result.delta);
      }
  }
  return result;
}

}  // namespace sulcus::activation
