#pragma once

#include "core/activation/activation.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sulcus {

/// Above this the chains have not mixed and a result is not to be trusted.
inline constexpr double kLargestRhat = 1.01;

/// How well chains of one quantity agree, and how many independent draws they are worth.
struct Convergence {
  double rhat = 1;  ///< split-R̂, ≥ about 1; NaN where the draws are constant or not finite
  double ess = 0;   ///< effective number of draws of the mean, all chains together; 0 as above
};

/// Split-R̂ and effective sample size: each chain is cut in two halves; with M chains of N draws then, W and B
/// their variances within and between,
///   var⁺ = (N − 1)/N W + B/N,   R̂ = √(var⁺/W),   ρ_t = 1 − (W − mean autocovariance at lag t)/var⁺,
///   ESS = M N / (−1 + 2 Σ (ρ_2t + ρ_2t+1)) over Geyer's initial positive, monotone sequence,
/// and at most M N log₁₀(M N).
/// Gelman et al., Bayesian Data Analysis, 3rd ed. (2013) §11.4–11.5; Stan Reference Manual, "Effective sample
/// size".
///
/// @param draws   one chain after the other
/// @param chains  ≥ 1 of equal length; each needs 4 draws, else nothing is known: NaN, 0
Convergence convergence(std::span<const double> draws, int chains);

/// A hyper-parameter of a run.
struct HyperDiagnostic {
  std::string name;   ///< "Δ[intercept, visual]", "V[visual, visual]"
  std::string group;  ///< "volume", "slice 3"
  double mean = 0, sd = 0;
  Convergence convergence;
};

struct ActivationDiagnostics {
  std::vector<HyperDiagnostic> hyper;  ///< Δ and the lower triangle of V_β, group by group
  double worstRhat = 1;                ///< over voxels and regressors
  std::int64_t worstVoxel = -1;        ///< index in the grid; -1: none is known
  std::int64_t aboveLimit = 0;         ///< voxels with an R̂ above kLargestRhat
  double smallestEss = 0;              ///< over voxels and regressors
  double medianEss = 0;                ///< of the voxels' smallest
};

/// Of each voxel worked on, over the regressors: the largest R̂ and the smallest effective number of draws of
/// β. NaN where none is known (a preview; draws that never change).
std::vector<float> largestRhat(const ActivationResult& result);
std::vector<float> smallestEss(const ActivationResult& result);

ActivationDiagnostics diagnose(const ActivationResult& result);

/// A sentence when chains have not converged: a hyper-parameter's R̂ above kLargestRhat, or that of more
/// voxels than chance would give.
std::optional<std::string> convergenceWarning(const ActivationResult& result,
                                              const ActivationDiagnostics& diagnostics);

/// diagnostics.json: the run's counts, and the diagnostics.
std::string diagnosticsJson(const ActivationResult& result, const ActivationDiagnostics& diagnostics);

/// Names of the values of a draw of Δ (q × k, covariate fastest) and of V_β's lower triangle by rows.
std::vector<std::string> deltaNames(const ActivationResult& result);
std::vector<std::string> vBetaNames(const ActivationResult& result);

/// Kept draws of one value of Δ or V_β: one chain after the other.
/// @param draws  GibbsResult::delta or ::vBeta of `size` values a draw
std::vector<double> hyperDraws(const ActivationResult& result, const std::vector<double>& draws, int size,
                               int value, int group);

}  // namespace sulcus
