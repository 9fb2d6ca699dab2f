#pragma once

#include "core/activation/gibbs.h"
#include "core/activation/hyper_body.h"

#include <vector>

// What a sampler works out from a problem before it starts, on whichever machine it then runs.

namespace sulcus {

/// Row by row, as the bodies read matrices.
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What a group's hyper-draws need besides the sums of its voxels.
struct GroupPrior {
  RowMajor scale;      ///< V, k × k
  RowMajor zz;         ///< Z'Z + A, q × q
  RowMajor zzInverse;  ///< its inverse
  RowMajor zzRoot;     ///< an upper triangle R with R R' = that inverse
  double a = 0;
  double freedom = 0;  ///< ν + M

  HyperPrior view() const { return {scale.data(), zz.data(), zzInverse.data(), zzRoot.data(), a, freedom}; }
};
GroupPrior groupPrior(const GibbsProblem& problem, const GibbsGroup& group);

/// L⁻ᵀ by rows.
std::vector<float> inverseFactor(const GibbsProblem& problem);

/// ν_e s² + RSS.
inline float squaresOf(const GibbsProblem& problem, std::int64_t voxel) {
  return float(problem.nuE * problem.errorPrior[voxel] + problem.residual[voxel]);
}
/// ν_e + n.
inline float freedomOf(const GibbsProblem& problem) { return float(problem.nuE + problem.scans); }

/// Words of a voxel's state; 0 for philox.
int wordsOf(RandomGenerator generator);
/// Starts one voxel's stream, see seedStream().
void seedVoxel(RandomGenerator generator, std::uint32_t* state, std::int64_t stride, PhiloxKey key,
               std::uint32_t voxel, std::uint32_t chain);

/// @throws Error when no draw would be kept
void requireDraws(const GibbsOptions& options);

}  // namespace sulcus
