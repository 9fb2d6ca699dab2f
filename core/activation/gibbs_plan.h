#pragma once

#include "core/activation/gibbs.h"
#include "core/activation/hyper_body.h"

#include <vector>

// What a sampler derives from a problem before it starts, the same on every backend.

namespace sulcus::activation {

/// A matrix stored by rows, as the functions of hyper_body.h read them.
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What the hyper-draws of a group need in addition to the sums of its voxels.
struct GroupPrior {
  RowMajor scale;      ///< V, k × k
  RowMajor zz;         ///< Z'Z + A, q × q
  RowMajor zzInverse;  ///< (Z'Z + A)⁻¹
  RowMajor zzRoot;     ///< the upper triangle R with R R' = (Z'Z + A)⁻¹
  double a = 0;        ///< A = a I
  double freedom = 0;  ///< degrees of freedom ν + M of the posterior of V_γ

  HyperPrior view() const { return {scale.data(), zz.data(), zzInverse.data(), zzRoot.data(), a, freedom}; }
};
GroupPrior groupPrior(const GibbsProblem& problem, const GibbsGroup& group);

/// betaFromGamma() (L⁻ᵀ, β = L⁻ᵀ γ), k × k by rows, rounded to float.
std::vector<float> inverseFactor(const GibbsProblem& problem);

/// ν_e s² + RSS of a voxel, the part of the squares that no draw changes, in squared units of the response.
inline float squaresOf(const GibbsProblem& problem, std::int64_t voxel) {
  return float(problem.nuE * problem.errorPrior[voxel] + problem.residual[voxel]);
}
/// ν_e + n, the degrees of freedom of the conditional posterior of σ².
inline float degreesOfFreedom(const GibbsProblem& problem) { return float(problem.nuE + problem.scans); }

/// Count of the words of a voxel's state; 0 for philox, which has none.
int wordsOf(RandomGenerator generator);
/// Starts the stream of one voxel, word w of its state at state[w * stride]; see seedStream().
void seedVoxel(RandomGenerator generator, std::uint32_t* state, std::int64_t stride, PhiloxKey key,
               std::uint32_t voxel, std::uint32_t chain);

/// @throws Error when no draw would be kept
void requireDraws(const GibbsOptions& options);

}  // namespace sulcus::activation
