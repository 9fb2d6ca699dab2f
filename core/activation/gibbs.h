#pragma once

#include "core/base/progress.h"
#include "core/math/generators.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <Eigen/Core>

namespace sulcus {

// The sampler's own problem: everything the Gibbs scheme needs, nothing about images.
//
// Coordinates: with X'X = L L' (Cholesky) all coefficients are γ = L'β here. The least-squares estimate of γ
// is then distributed N(γ, σ² I), and Δ, V_β become ΔL and L'V_βL, which keeps the model's form: the chain is
// the same, and no voxel needs X.

/// Voxels under common hyper-parameters: the whole volume, or one slice.
struct GibbsGroup {
  std::int64_t begin = 0, end = 0;  ///< of the voxels, consecutive
  Eigen::MatrixXd priorScale;       ///< V of V_γ ~ IW(ν, V), k × k, in γ
  std::vector<double> zz;           ///< Z'Z, q × q
};

struct GibbsProblem {
  int regressors = 0;                  ///< k ≥ 1
  int covariates = 1;                  ///< q ≥ 1, the second level's; z[0] = 1
  int scans = 0;                       ///< n
  Eigen::MatrixXd factor;              ///< L, lower triangular, k × k: β = L⁻ᵀγ
  std::int64_t voxels = 0;             ///< M
  std::vector<float> estimate;         ///< least-squares γ, (k, M), voxels fastest
  std::vector<float> residual;         ///< RSS, M
  std::vector<float> errorPrior;       ///< s², M
  std::vector<float> z;                ///< (q, M), voxels fastest
  std::vector<std::uint32_t> voxelId;  ///< M: names the random stream of a voxel; its index in the image
  std::vector<GibbsGroup> groups;
  double nuE = 3;   ///< ν_e
  double nu = 0;    ///< ν of IW
  double a = 0.01;  ///< A = a I
};

struct GibbsOptions {
  int draws = 3000;  ///< iterations of each chain, burn-in included
  int burnIn = 300;  ///< iterations dropped at the start
  int thinning = 5;  ///< every how many iterations after it one is kept
  int chains = 2;
  std::uint64_t seed = 1;
  RandomGenerator generator = RandomGenerator::philox;

  int kept() const { return (draws - burnIn) / thinning; }  ///< of each chain
  /// How many of the iterations before this one are kept: of every `thinning` after the burn-in the last.
  int keptBefore(int iteration) const { return iteration < burnIn ? 0 : (iteration - burnIn) / thinning; }
  bool isKept(int iteration) const { return keptBefore(iteration + 1) > keptBefore(iteration); }
};

/// What one iteration's voxel draws depended on, in γ: enough to draw any voxel's chain again.
/// For each chain, group and iteration: see GibbsResult::hyper.
struct HyperLayout {
  int k = 0, q = 0;
  int axes() const { return 0; }           ///< U, k × k by rows, column j is an eigenvector of V_γ
  int scales() const { return k * k; }     ///< λ, k: its eigenvalues
  int means() const { return k * k + k; }  ///< U'Δ', k × q, covariate fastest within a row
  int size() const { return k * k + k + k * q; }
};

/// Moments of the kept draws of all chains; float32, (quantity, M), voxels fastest.
/// From conditional means and covariances (Rao–Blackwell), not from the draws, where it says so.
struct GibbsMoments {
  std::vector<float> mean;  ///< (k, M): posterior mean of γ, conditional means averaged
  std::vector<float>
      covariance;  ///< (k(k+1)/2, M), rows of the lower triangle: of γ, by the law of total covariance
  std::vector<float> sigma2Mean, sigma2Var;  ///< M: of the draws of σ²
  std::vector<float> rhat;                   ///< (k, M): split-R̂ of β's draws; NaN in previews
  std::vector<float> ess;  ///< (k, M): effective number of β's draws, from batch means; NaN in previews
};

struct GibbsResult {
  GibbsMoments moments;
  /// Hyper-parameters at every iteration, float32: (HyperLayout::size(), iteration, group, chain), first
  /// fastest.
  std::vector<float> hyper;
  /// Kept draws of Δ (q × k, covariate fastest) and V_β (k × k) in β, double:
  /// (value, kept draw, group, chain), first fastest.
  std::vector<double> delta, vBeta;
};

/// Called between batches of iterations with the moments so far and the share done; may be empty.
using GibbsPreview = std::function<void(const GibbsMoments&, double done)>;

/// Draws from the posterior: bit for bit the same on any number of threads and lanes of vectors, and from the
/// same random numbers on every backend.
///
/// Chains start from hyper-parameters drawn given the least-squares estimates, and from σ² = s². Iteration t
/// draws the voxels given hyper-parameters t, then hyper-parameters t + 1; of every `thinning` iterations
/// after the burn-in the last is kept. Time does not depend on n.
/// @throws Error when no draw would be kept
using SampleGibbs = GibbsResult(const GibbsProblem&, const GibbsOptions&, const GibbsPreview&,
                                const Progress&);
SampleGibbs sampleGibbs;
/// The same on vectors of 1, 8 or 16 lanes; 0: as many as the processor has.
GibbsResult sampleGibbsOnLanes(int lanes, const GibbsProblem& problem, const GibbsOptions& options,
                               const GibbsPreview& preview, const Progress& progress);

/// All draws of one voxel of a finished run, burn-in included, in β: (k + 1, draws, chain); the last is σ².
/// Draws them again from GibbsResult::hyper: the same numbers as the run's, in k² operations each.
std::vector<float> replayVoxel(const GibbsProblem& problem, const GibbsOptions& options,
                               const GibbsResult& result, std::int64_t voxel);

}  // namespace sulcus
