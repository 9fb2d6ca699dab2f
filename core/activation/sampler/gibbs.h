#pragma once

#include "core/activation/sampler/gibbs_layout.h"
#include "core/base/progress.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <Eigen/Core>

namespace sulcus::activation {

// The problem of the Gibbs sampler: everything that it needs, independent of images.
//
// Coordinates: with X'X = L L' (Cholesky) all coefficients are γ = L'β here. The least-squares estimate of γ
// is then distributed N(γ, σ² I), and Δ and V_β become ΔL and L'V_βL. The form of the model and the chain
// remain the same, but no voxel needs X. If the noise has memory, the series and the design of each voxel are
// whitened with its own W; then the least-squares γ is distributed N(γ, σ² H⁻¹), H = L⁻¹X'W'WX L⁻ᵀ. The
// response y has the unit of ActivationOptions::response.

/// The distribution of the error η common to all γ̂ of a group (common_noise.h), N(mean, root root'); empty:
/// none.
struct CommonError {
  Eigen::VectorXd mean;  ///< k
  Eigen::MatrixXd root;  ///< k × k

  bool isKnown() const { return mean.size() > 0; }
};

/// The voxels that share hyper-parameters: the whole volume, or one slice.
struct GibbsGroup {
  std::int64_t begin = 0, end = 0;  ///< its voxels are begin … end − 1
  Eigen::MatrixXd priorScale;       ///< V of V_γ ~ IW(ν, V), k × k, in γ
  std::vector<double> zz;           ///< Z'Z, q × q
  CommonError common = {};
};

/// A normal approximation of the posterior of a group's hyper-parameters, in the coordinates of
/// hyper_proposals.h: N(mode, root root').
struct HyperFit {
  Eigen::VectorXd mode;
  Eigen::MatrixXd root;
};

/// Data and priors of all voxels. (k, M) means k values of M voxels each, voxels fastest.
struct GibbsProblem {
  int regressors = 0;             ///< k ≥ 1
  int covariates = 1;             ///< q ≥ 1, of the second level; the first is 1
  int scans = 0;                  ///< n, minus one for each confound that was integrated out
  bool correlated = false;        ///< whether voxels have their own H; otherwise it is the identity
  Eigen::MatrixXd factor;         ///< L, lower triangular, k × k: β = L⁻ᵀγ
  std::int64_t voxels = 0;        ///< M
  std::vector<float> estimate;    ///< least-squares γ, (k, M), voxels fastest
  std::vector<float> precision;   ///< H, (k(k+1)/2, M), lower triangles by rows; empty unless `correlated`
  std::vector<float> residual;    ///< M: RSS, the residual sum of squares of least squares
  std::vector<float> errorPrior;  ///< M: s² of the prior σ² ~ ν_e s² / χ²(ν_e)
  std::vector<float> z;           ///< covariates, (q, M), voxels fastest
  std::vector<std::uint32_t> voxelId;  ///< M: image index of each voxel, which identifies its random numbers
  std::vector<GibbsGroup> groups;
  std::vector<int> block;  ///< k: the block of V of each regressor; empty if V is one block
  /// T, k × k: the blocks are those of the covariance of Tβ (centeringOf()); empty: of β.
  Eigen::MatrixXd centering;
  double nuE = 3;   ///< ν_e, degrees of freedom of the prior of σ²
  double nu = 0;    ///< ν, degrees of freedom of the prior of V_γ
  double a = 0.01;  ///< A = a I, precision of the prior of Δ
  /// For each group: hyper-parameters are proposed from it, with the coefficients of the voxels integrated
  /// out. Empty: they are drawn given the coefficients. The GPU always draws them.
  std::vector<HyperFit> fits;
};

/// How the chains run.
struct GibbsOptions {
  int draws = 3000;  ///< iterations of each chain, including burn-in
  int burnIn = 300;  ///< iterations dropped at the start
  int thinning = 5;  ///< after the burn-in, the last of this many iterations is kept
  int chains = 2;
  bool interwoven = true;  ///< coefficients and hyper-parameters are also moved together
  std::uint64_t seed = 1;

  /// Number of kept draws per chain.
  int kept() const { return (draws - burnIn) / thinning; }
  /// Lengthens the chains; the burn-in grows in proportion.
  void lengthen(int longer) {
    burnIn = int(std::int64_t(burnIn) * longer / draws);
    draws = longer;
  }
  KeptDraws keptDraws() const { return {burnIn, thinning}; }
  /// Number of kept iterations before this one.
  int keptBefore(int iteration) const { return keptDraws().before(iteration); }
  bool isKept(int iteration) const { return keptDraws().isKept(iteration); }
};

/// Moments over the kept draws of all chains, float32, voxels fastest. Mean and covariance of γ are averages
/// of conditional means and covariances (Rao–Blackwell); the others are computed from the draws.
struct GibbsMoments {
  std::vector<float> mean;        ///< (k, M): posterior mean of γ
  std::vector<float> covariance;  ///< (k(k+1)/2, M): posterior covariance of γ, lower triangle by rows
  std::vector<float> sigma2Mean, sigma2Var;  ///< M: posterior mean and variance of σ²
  std::vector<float> rhat;                   ///< (k, M): split-R̂ of β; NaN in previews
  std::vector<float> ess;  ///< (k, M): effective number of draws of β, from batch means; NaN in previews
};

/// What a run of the sampler returns.
struct GibbsResult {
  GibbsMoments moments;
  /// Hyper-parameters at every iteration, float32: (HyperLayout::size(), iteration, group, chain), first
  /// fastest.
  std::vector<float> hyper;
  /// Kept draws of Δ (q × k, covariate fastest) and V_β (k × k) in β, double:
  /// (value, kept draw, group, chain), first fastest.
  std::vector<double> delta, vBeta;
  /// η in γ at every iteration, (k, iteration, group, chain), already subtracted from moments and Δ and to be
  /// subtracted from draws; empty: none.
  std::vector<float> commonErrors;
};

/// Called between batches of iterations with the moments so far and the fraction of the iterations done
/// (0…1). May be empty.
using GibbsPreview = std::function<void(const GibbsMoments&, double done)>;

/// Draws from the posterior. The result is the same bit for bit for any number of threads and vector lanes,
/// and every backend uses the same random numbers.
///
/// Chains start from hyper-parameters drawn given the least-squares estimates, and from σ² = s². Iteration t
/// draws the voxels given hyper-parameters t, then hyper-parameters t + 1. Of every `thinning` iterations
/// after the burn-in the last is kept. The time does not depend on n.
/// @throws Error if no draw would be kept; Cancelled
using SampleGibbs = GibbsResult(const GibbsProblem&, const GibbsOptions&, const GibbsPreview&,
                                const Progress&);
/// On the CPU, on all threads of the withThreads() scope.
SampleGibbs sampleGibbs;
/// sampleGibbs() on vectors of 1, 8 or 16 lanes; 0: as many as the processor has.
GibbsResult sampleGibbsOnLanes(int lanes, const GibbsProblem& problem, const GibbsOptions& options,
                               const GibbsPreview& preview, const Progress& progress);

/// All draws of one voxel of a finished run, including burn-in: (k + 1, draw, chain), first fastest, k
/// coefficients β and σ². They are recomputed from GibbsResult::hyper and equal those of the run, minus the
/// error common to all voxels.
///
/// @param voxel  0 … M − 1
std::vector<float> replayVoxel(const GibbsProblem& problem, const GibbsOptions& options,
                               const GibbsResult& result, std::int64_t voxel);

}  // namespace sulcus::activation
