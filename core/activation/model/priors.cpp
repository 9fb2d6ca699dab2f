#include "core/activation/model/priors.h"

#include "core/activation/model/gibbs_problem.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace sulcus::activation {
namespace {

/// The mean of H over the voxels of a group, k × k.
Eigen::MatrixXd meanPrecision(const GibbsProblem& problem, const GibbsGroup& group) {
  const int k = problem.regressors;
  Eigen::MatrixXd mean = Eigen::MatrixXd::Identity(k, k);
  if (!problem.correlated) return mean;
  const float* from = problem.precision.data();
  for (int a = 0; a < k; ++a)
    for (int b = 0; b <= a; ++b, from += problem.voxels)
      mean(a, b) = mean(b, a) =
          std::accumulate(from + group.begin, from + group.end, 0.0) / double(group.end - group.begin);
  return mean;
}

/// The block of V of each regressor; empty if V is one block.
std::vector<int> blocksOf(Covariance covariance, const Design& design) {
  if (covariance == Covariance::full) return {};
  std::vector<int> block(design.regressors());
  std::iota(block.begin(), block.end(), 0);
  if (covariance == Covariance::block)
    for (const auto& response : design.responses)
      for (const int column : response) block[column] = response.front();
  return block;
}

}  // namespace

void makePriors(const ActivationOptions& options, ActivationResult& result, GibbsProblem& problem) {
  const int k = problem.regressors;
  const std::int64_t m = problem.voxels;
  problem.block = blocksOf(options.covariance, result.design);
  problem.nuE = options.nuE;
  problem.nu = options.nu > 0 ? options.nu : options.nuE + k;
  problem.a = options.a;
  if (!(problem.nu > k - 1))
    throw Error(text("ν = ", problem.nu, " is too small for ", k, " regressors"),
                text("an inverse-Wishart distribution needs more than ", k - 1),
                text("take nu 0, or at least ", k), ErrorKind::usage);
  Eigen::MatrixXd l = problem.factor;
  std::vector<float> coefficients = result.leastSquares;
  if (!problem.block.empty()) {
    problem.centering = centeringOf(result.design);
    transformVoxels(problem.centering, result.leastSquares, m, coefficients, {});
    l = inverse(problem.centering).transpose() * l;
  }
  for (auto& group : problem.groups) {
    // Covariance of least squares divided by σ², in a typical voxel.
    const Eigen::MatrixXd sampling = inverse(l * meanPrecision(problem, group) * l.transpose());
    Eigen::VectorXd scale = Eigen::VectorXd::Constant(k, options.vScale);
    if (options.vScale <= 0) {
      const auto size = std::size_t(group.end - group.begin);
      const auto noise = std::span(problem.residual).subspan(group.begin, size);
      const double variance =
          std::accumulate(noise.begin(), noise.end(), 0.0) / (double(size) * (problem.scans - k));
      for (int j = 0; j < k; ++j) {
        const auto b = std::span(coefficients).subspan(j * m + group.begin, size);
        const double mean = std::accumulate(b.begin(), b.end(), 0.0) / double(size);
        double spread = 0;
        for (const float value : b) spread += (value - mean) * (value - mean) / double(size);
        scale(j) = std::max(spread, variance * sampling(j, j));
      }
    }
    group.priorScale = problem.nu * l.transpose() * scale.asDiagonal() * l;
  }
  if (options.covariance != Covariance::full)
    result.notes.push_back(options.covariance == Covariance::block && !result.design.responses.empty()
                               ? "V_β: the coefficients of a condition and its derivatives may covary; all "
                                 "others vary independently."
                               : "V_β: every coefficient varies independently.");
  if (result.deltaMean.size() > 0)
    result.notes.push_back("Prior of Δ: its mean is not 0 but '" + options.deltaMean + "'.");
  result.notes.push_back(
      options.vScale > 0
          ? text("Prior of V_β: inverse Wishart with ν = ", problem.nu, ", V = ", options.vScale, " ν I.")
          : text("Prior of V_β: inverse Wishart with ν = ", problem.nu,
                 ", V = ν times the variances over the voxels of the least-squares coefficients, at least "
                 "their mean sampling variances."));
}

}  // namespace sulcus::activation
