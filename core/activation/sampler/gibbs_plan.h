#pragma once

#include "core/activation/sampler/gibbs.h"
#include "core/activation/sampler/gibbs_kernel.h"
#include "core/activation/sampler/hyper_kernel.h"

#include <vector>

// Data that a sampler derives from a problem before it starts, the same on every backend.

namespace sulcus::activation {

/// A matrix stored by rows, as required by the functions of hyper_kernel.h.
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Input of a group's hyper-draws in addition to the sums of its voxels.
struct GroupPrior {
  RowMajor scale;         ///< V of γ, k × k
  RowMajor scaleOfBeta;   ///< V of β, k × k
  RowMajor toBeta;        ///< L⁻ᵀ, k × k
  RowMajor toGamma;       ///< L', k × k
  Eigen::VectorXd block;  ///< index of each regressor's block of V_β, k
  Eigen::VectorXd turns;  ///< shiftTurns(k)
  RowMajor zz;            ///< Z'Z + A, q × q
  RowMajor zzInverse;     ///< (Z'Z + A)⁻¹
  RowMajor zzRoot;        ///< the upper triangular R with R R' = (Z'Z + A)⁻¹
  double a = 0;           ///< A = a I
  double nu = 0;          ///< degrees of freedom ν of the prior of V_γ
  double freedom = 0;     ///< ν + M, those of its posterior
  bool blocks = false;    ///< whether V_β has several blocks

  HyperPrior view() const {
    return {scale.data(),
            scaleOfBeta.data(),
            toBeta.data(),
            toGamma.data(),
            block.data(),
            turns.data(),
            zz.data(),
            zzInverse.data(),
            zzRoot.data(),
            a,
            nu,
            freedom,
            blocks};
  }
};
GroupPrior groupPrior(const GibbsProblem& problem, const GibbsGroup& group);

/// The hyper-parameters of an iteration in the record.
inline HyperParameters parametersAt(float* record, const HyperLayout& layout) {
  return {record + layout.axes(), record + layout.scales(), record + layout.means()};
}

/// betaFromGamma() (L⁻ᵀ, β = L⁻ᵀ γ), k × k by rows, rounded to float.
std::vector<float> inverseFactor(const GibbsProblem& problem);

/// The index of the group of a voxel.
std::size_t groupOf(const GibbsProblem& problem, std::int64_t voxel);

/// ν_e s² + RSS of a voxel, the constant part of the squares, in squared units of the response.
inline float squaresOf(const GibbsProblem& problem, std::int64_t voxel) {
  return float(problem.nuE * problem.errorPrior[voxel] + problem.residual[voxel]);
}
/// What a step reads of a voxel, where it lies in the problem.
inline VoxelData<float> voxelData(const GibbsProblem& problem, std::int64_t voxel) {
  return {problem.estimate.data() + voxel, problem.correlated ? problem.precision.data() + voxel : nullptr,
          problem.z.data() + problem.voxels + voxel, problem.voxels, squaresOf(problem, voxel)};
}
/// ν_e + n, the degrees of freedom of the conditional posterior of σ².
inline float degreesOfFreedom(const GibbsProblem& problem) { return float(problem.nuE + problem.scans); }

/// @throws Error if no draw would be kept
void requireDraws(const GibbsOptions& options);

}  // namespace sulcus::activation
