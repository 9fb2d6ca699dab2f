#include "core/activation/sampler/hyper_proposals.h"

#include "core/activation/sampler/beta_from_gamma.h"
#include "core/activation/sampler/hyper_fit.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {
namespace {

constexpr double kLeastFreedom = 30;  // of the t distribution, in addition to the number of coordinates

/// Draws a proposal of θ and the log of its density, up to a constant.
std::pair<Eigen::VectorXd, double> drawFrom(const HyperFit& fit, const HyperStream& stream) {
  const Eigen::Index size = fit.mode.size();
  const double freedom = kLeastFreedom + double(size);
  Eigen::VectorXd x(size);
  float n[4] = {};
  for (Eigen::Index i = 0; i < size; ++i) {
    if (i % 4 == 0) stream.normals(kShiftNormals + std::uint32_t(i / 4), n);
    x[i] = double(n[i % 4]);
  }
  x *= std::sqrt(freedom / stream.chiSquare(0, freedom));
  return {fit.mode + fit.root * x, -(freedom + double(size)) / 2 * std::log1p(x.squaredNorm() / freedom)};
}

}  // namespace

HyperProposals proposeHyper(const GibbsProblem& problem, const GibbsOptions& options) {
  HyperProposals proposals;
  if (problem.fits.empty()) return proposals;
  const int k = problem.regressors, q = problem.covariates;
  const HyperLayout layout{k, q};
  const std::size_t groups = problem.groups.size(), draws = std::size_t(options.draws),
                    all = draws * groups * std::size_t(options.chains);
  proposals.records.resize(all * std::size_t(layout.size()));
  proposals.weights.resize(all);
  proposals.levels.resize(all);
  proposals.delta.resize(all * std::size_t(q * k));
  proposals.vBeta.resize(all * std::size_t(k * k));
  const Eigen::MatrixXd toBeta = betaFromGamma(problem);
  std::vector<GroupPrior> priors;
  for (const GibbsGroup& group : problem.groups) priors.push_back(groupPrior(problem, group));
  parallelFor(std::int64_t(all), 16, Progress(), [&](std::int64_t index) {
    const auto at = std::size_t(index), group = at / draws % groups;
    const GroupPrior& prior = priors[group];
    const HyperStream stream{options.seed, std::uint32_t(at % draws), std::uint32_t(group),
                             std::uint32_t(at / (draws * groups))};
    const auto [theta, density] = drawFrom(problem.fits[group], stream);
    const HyperPoint point = hyperPointAt(theta, q, prior);
    proposals.weights[at] = logHyperPrior(point, prior) - density;
    proposals.levels[at] = std::log(stream.uniformNumber(0));
    const Eigen::MatrixXd factor = prior.toGamma * point.factor;
    const RowMajor variance = factor * factor.transpose(),
                   delta = point.delta * prior.toGamma.transpose();  // in γ
    const SymmetricEigen eigen = symmetricEigen(variance);
    const RowMajor means = eigen.vectors.transpose() * delta.transpose();
    float* const record = proposals.records.data() + at * std::size_t(layout.size());
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j) record[layout.axes() + i * k + j] = float(eigen.vectors(i, j));
      record[layout.scales() + i] = float(std::max(eigen.values[i], 0.0));
      for (int c = 0; c < q; ++c) record[layout.means() + i * q + c] = float(means(i, c));
    }
    drawInBeta(toBeta, q, delta.data(), variance.data(), proposals.delta.data() + at * std::size_t(q * k),
               proposals.vBeta.data() + at * std::size_t(k * k));
  });
  return proposals;
}

void setHyper(const GibbsProblem& problem, const GibbsOptions& options, const HyperProposals& proposals,
              const std::vector<int>& taken, GibbsResult& result) {
  const auto size = std::size_t(HyperLayout{problem.regressors, problem.covariates}.size()),
             ofDelta = std::size_t(problem.covariates * problem.regressors),
             ofVariance = std::size_t(problem.regressors * problem.regressors);
  const auto draws = std::size_t(options.draws), kept = std::size_t(options.kept());
  result.hyper.resize(taken.size() * size);
  result.delta.resize(taken.size() / draws * kept * ofDelta);
  result.vBeta.resize(taken.size() / draws * kept * ofVariance);
  const auto copy = [](const auto& from, std::size_t source, auto& to, std::size_t place, std::size_t count) {
    std::copy_n(from.begin() + std::ptrdiff_t(source * count), count,
                to.begin() + std::ptrdiff_t(place * count));
  };
  for (std::size_t at = 0; at < taken.size(); ++at) {
    const std::size_t chain = at / draws, from = chain * draws + std::size_t(taken[at]);
    copy(proposals.records, from, result.hyper, at, size);
    const auto t = int(at % draws);
    if (!options.isKept(t)) continue;
    const std::size_t place = chain * kept + std::size_t(options.keptBefore(t));
    copy(proposals.delta, from, result.delta, place, ofDelta);
    copy(proposals.vBeta, from, result.vBeta, place, ofVariance);
  }
}

}  // namespace sulcus::activation
