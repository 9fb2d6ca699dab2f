#pragma once

#include "core/activation/activation.h"
#include "core/image/layer.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sulcus::activation {

/// Above this R̂ the chains have not mixed, and neither such results nor means of fewer independent draws
/// should be trusted (Vehtari, Gelman, Simpson, Carpenter & Bürkner, Bayesian Anal 16 (2021) 667).
inline constexpr double kLargestRhat = 1.01, kFewestEffective = 400;

/// How well chains of one quantity agree, and how many independent draws they are worth.
struct Convergence {
  double rhat = 1;  ///< rank-normalized, about 1 or larger; NaN if the draws are constant or not finite
  double ess = 0;   ///< bulk ESS of all chains together; 0 if rhat is NaN
};

/// Rank-normalized split-R̂ and bulk effective sample size (Vehtari et al. 2021). Each chain is split into
/// halves, which gives M chains of N draws. Of all S = M N draws the one of rank r is replaced by z = Φ⁻¹((r
/// − 3/8)/(S + 1/4)), ties by that of their mean rank. With W and B the variances of z within and between the
/// chains,
///   var⁺ = (N − 1)/N W + B/N,   R̂ = √(var⁺/W),   ρ_t = 1 − (W − mean autocovariance at lag t)/var⁺,
///   ESS = M N / (−1 + 2 Σ (ρ_2t + ρ_2t+1)) over Geyer's initial positive, monotone sequence,
/// and at most M N log₁₀(M N). The R̂ is the larger of those of the draws and of their distances from the
/// median, which detects chains of different widths. Ranks make both valid for heavy tails, such as those of
/// V_β.
///
/// @param draws   (draw, chain), draws fastest
/// @param chains  ≥ 1, of equal length. With fewer than 4 draws each the result is NaN and 0
Convergence convergence(std::span<const double> draws, int chains);

/// The limit of the largest R̂ of several quantities: kLargestRhat or, if larger, the value exceeded by
/// chance in one of 20 runs whose chains do agree. The means of m half chains, worth ESS/m draws each, vary
/// so that R̂² is 1 − 2/kept + m/ESS · χ²(m − 1)/(m − 1); the largest of N quantities has the χ² of the tail
/// 0.05/(2 N), since each has an R̂ of its draws and one of their distances from the median.
///
/// @param kept  kept draws of each chain
double rhatLimit(int chains, int kept, double ess, std::size_t quantities);

/// Posterior mean, s.d. and convergence of one hyper-parameter.
struct HyperDiagnostic {
  std::string name;   ///< "Δ[intercept, visual]", "V[visual, visual]"
  std::string group;  ///< "volume", "slice 3"
  double mean = 0, sd = 0;
  Convergence convergence;
};

/// The convergence of the chains of a run.
struct ActivationDiagnostics {
  std::vector<HyperDiagnostic> hyper;  ///< Δ and the lower triangle of V_β, group by group
  double worstRhat = 1;                ///< the largest over voxels and regressors
  std::int64_t worstVoxel = -1;        ///< grid index of its voxel; -1 if no R̂ is known
  std::int64_t aboveLimit = 0;         ///< number of voxels with an R̂ above kLargestRhat
  double smallestEss = 0;              ///< the smallest over voxels and regressors
  double medianEss = 0;                ///< median over the voxels of smallestEss()
};

/// The largest R̂ and the smallest effective number of draws over the coefficients of each analyzed voxel, M
/// values. NaN if unknown (in a preview, or if draws never change).
std::vector<float> largestRhat(const ActivationResult& result);
std::vector<float> smallestEss(const ActivationResult& result);

/// Computes the diagnostics of a finished run.
ActivationDiagnostics diagnose(const ActivationResult& result);

/// The factor by which the number of draws may have to grow until the chains have converged; 1 if they have.
/// They have converged if each hyper-parameter is worth kFewestEffective draws with an R̂ of at most
/// rhatLimit(), and at most 1 % of the voxels have an R̂ above kLargestRhat.
double furtherDraws(const ActivationResult& result, const ActivationDiagnostics& diagnostics);

/// A warning if the chains have not converged (furtherDraws()).
std::optional<Note> convergenceWarning(const ActivationResult& result,
                                       const ActivationDiagnostics& diagnostics);

/// The text of diagnostics.json: the sizes of the run, the diagnostics, and what is shown.
///
/// @param shown  the table of shownTable()
std::string diagnosticsJson(const ActivationResult& result, const ActivationDiagnostics& diagnostics,
                            const TableLayer& shown);

/// Names of the values in a draw of Δ (q × k, covariate fastest) and of the lower triangle of V_β by rows.
std::vector<std::string> deltaNames(const ActivationResult& result);
std::vector<std::string> vBetaNames(const ActivationResult& result);

/// The kept draws of one value of Δ or V_β in a group: (draw, chain), draws fastest.
///
/// @param draws  GibbsResult::delta or ::vBeta
/// @param size   number of values in a draw
/// @param value  index of the value among them
std::vector<double> hyperDraws(const ActivationResult& result, const std::vector<double>& draws, int size,
                               int value, int group);

}  // namespace sulcus::activation
