#include "core/activation/sampler/gibbs_plan.h"

#include "core/activation/sampler/beta_from_gamma.h"
#include "core/base/error.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace sulcus::activation {

namespace {

constexpr std::int64_t kVoxelsLookedAt = 4096;  // sampled voxels of a group

/// For each least-squares coefficient, the share of its variance over the voxels of a group that is
/// estimation error, k; at most 1.
Eigen::VectorXd unknownShare(const GibbsProblem& problem, const GibbsGroup& group, const RowMajor& toBeta) {
  const int k = problem.regressors;
  const std::int64_t step = std::max<std::int64_t>(1, (group.end - group.begin) / kVoxelsLookedAt);
  const auto size = double((group.end - group.begin + step - 1) / step);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(k), gamma(k);
  Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(k, k), precision = squares;
  double variance = 0;
  for (std::int64_t i = group.begin; i < group.end; i += step) {
    for (int j = 0; j < k; ++j) gamma[j] = problem.estimate[j * problem.voxels + i];
    sum += gamma;
    squares += gamma * gamma.transpose();
    variance += problem.residual[i] / (size * std::max(1, problem.scans - k));
    const float* h = problem.precision.data() + i;
    for (int a = 0; problem.correlated && a < k; ++a)
      for (int b = 0; b <= a; ++b, h += problem.voxels) precision(a, b) = precision(b, a) += *h / size;
  }
  if (!problem.correlated) precision.setIdentity();
  const Eigen::MatrixXd spread = squares / size - sum * sum.transpose() / (size * size);
  const Eigen::MatrixXd ofBeta = toBeta * spread * toBeta.transpose(),
                        error = variance * toBeta * inverse(precision) * toBeta.transpose();
  return (error.diagonal().array() / ofBeta.diagonal().array().max(error.diagonal().array())).matrix();
}

/// The turns of interweaving, spread evenly: each coefficient gets a few, and more in proportion to the cube
/// of its unknown share. Found by trial: the weakly informed ones then mix as fast as the others.
Eigen::VectorXd turnsOf(const Eigen::VectorXd& unknown) {
  const int k = int(unknown.size());
  const Eigen::ArrayXd hard = unknown.array().cube();
  const Eigen::VectorXd weight = (hard / hard.sum() + 1.0 / (8 * k)).matrix();
  Eigen::VectorXd turns(shiftTurns(k)), waited = Eigen::VectorXd::Zero(k);
  for (double& turn : turns) {
    waited += weight / weight.sum();
    Eigen::Index next;
    waited.maxCoeff(&next);
    waited[next] -= 1;
    turn = double(next);
  }
  return turns;
}

}  // namespace

GroupPrior groupPrior(const GibbsProblem& problem, const GibbsGroup& group) {
  const int q = problem.covariates;
  GroupPrior prior;
  const int k = problem.regressors;
  prior.scale = group.priorScale;
  const Eigen::MatrixXd t =
      problem.centering.size() > 0 ? problem.centering : Eigen::MatrixXd::Identity(k, k);
  prior.toBeta = t * betaFromGamma(problem);
  prior.toGamma = problem.factor.transpose() * inverse(t);
  prior.scaleOfBeta = prior.toBeta * prior.scale * prior.toBeta.transpose();
  prior.block = Eigen::VectorXd::Zero(k);
  for (std::size_t j = 0; j < problem.block.size(); ++j) prior.block[Eigen::Index(j)] = problem.block[j];
  prior.blocks = k > 0 && (prior.block.array() != prior.block[0]).any();
  prior.zz = Eigen::Map<const RowMajor>(group.zz.data(), q, q) + problem.a * RowMajor::Identity(q, q);
  prior.zzRoot = inverse(choleskyFactor(prior.zz)).transpose();
  prior.zzInverse = prior.zzRoot * prior.zzRoot.transpose();
  prior.a = problem.a;
  prior.turns = turnsOf(problem.estimate.empty() ? Eigen::VectorXd::Ones(k)
                                                 : unknownShare(problem, group, prior.toBeta));
  prior.nu = problem.nu;
  prior.freedom = problem.nu + double(group.end - group.begin);
  assert(group.end > group.begin && prior.freedom - problem.regressors + 1 >= 2);
  return prior;
}

std::vector<float> inverseFactor(const GibbsProblem& problem) {
  const RowMajor inverse = betaFromGamma(problem);
  return {inverse.data(), inverse.data() + inverse.size()};
}

std::size_t groupOf(const GibbsProblem& problem, std::int64_t voxel) {
  const auto found = std::ranges::upper_bound(problem.groups, voxel, {}, &GibbsGroup::end);
  assert(found != problem.groups.end() && voxel >= found->begin);
  return std::size_t(found - problem.groups.begin());
}

void requireDraws(const GibbsOptions& options) {
  if (options.kept() >= 1) return;
  throw Error("No draw would be kept of " + std::to_string(options.draws) + " with a burn-in of " +
                  std::to_string(options.burnIn) + " and one kept of every " +
                  std::to_string(options.thinning),
              "there is nothing to describe the posterior with", "draw more, or drop fewer");
}

}  // namespace sulcus::activation
