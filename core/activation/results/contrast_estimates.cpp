#include "core/activation/results/contrast_estimates.h"

#include "core/activation/model/least_squares.h"
#include "core/activation/model/noise.h"
#include "core/base/parallel/parallel_for.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>

namespace sulcus::activation {

namespace {
constexpr std::int64_t kVoxelsPerBlock = 4096;

/// c'H⁻¹c of a voxel.
double squaredLength(const GibbsProblem& problem, const Eigen::VectorXd& c, std::int64_t voxel) {
  return solveLower(choleskyFactor(precisionAt(problem, voxel)), c).squaredNorm();
}
}  // namespace

double normalFromT(double t, double freedom) {
  const double a = freedom - 0.5, b = 48 * a * a;
  const double y = a * std::log1p(t * t / freedom);
  const double series =
      (((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b) + y + 3;  // multiplied by y next
  return std::copysign((series / b + 1) * std::sqrt(y), t);
}

float ContrastEstimates::z(std::size_t voxel) const { return float(normalFromT(t(voxel), freedom[voxel])); }

float ContrastEstimates::normalError(std::size_t voxel) const {
  const float deviate = z(voxel);
  return deviate == 0 ? error[voxel] : effect[voxel] / deviate;
}

ContrastEstimates estimateContrast(const ActivationResult& result, std::span<const double> weights,
                                   const Progress& progress) {
  const GibbsProblem& problem = *result.problem;
  const auto k = std::ssize(weights);
  const Eigen::VectorXd c = Eigen::Map<const Eigen::VectorXd>(weights.data(), k);
  // In γ = L'β the contrast is (L⁻¹c)'γ.
  const Eigen::VectorXd inGamma = solveLower(problem.factor, c);
  ContrastEstimates estimates;
  const double freedom = problem.scans - problem.regressors;
  estimates.freedom = result.noise ? effectiveFreedom(*result.noise, inGamma, freedom)
                                   : std::vector<float>(result.voxels.size(), float(freedom));
  estimates.effect.resize(result.voxels.size());
  estimates.error.resize(result.voxels.size());
  const double perVariance = inGamma.squaredNorm() / freedom;
  parallelForBlocks(result.count(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      double effect = 0;
      for (Eigen::Index j = 0; j < k; ++j) effect += c(j) * result.leastSquares[j * result.count() + i];
      estimates.effect[i] = float(effect);
      const double per = problem.correlated ? squaredLength(problem, inGamma, i) / freedom : perVariance;
      estimates.error[i] = float(std::sqrt(problem.residual[i] * per));
    }
  });
  for (const GibbsGroup& group : problem.groups) {
    if (!group.common.isKnown()) continue;
    estimates.common.resize(result.voxels.size());
    std::fill(estimates.common.begin() + group.begin, estimates.common.begin() + group.end,
              float(inGamma.dot(group.common.mean)));
    estimates.commonSd = std::max(estimates.commonSd, (group.common.root.transpose() * inGamma).norm());
  }
  return estimates;
}

}  // namespace sulcus::activation
