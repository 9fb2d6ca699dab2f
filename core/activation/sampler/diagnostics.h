#pragma once

#include "core/activation/activation.h"
#include "core/image/layer.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sulcus::activation {

/// Above this R̂ the chains have not mixed, and the result should not be trusted; nor should means of fewer
/// independent draws (Vehtari, Gelman, Simpson, Carpenter & Bürkner, Bayesian Anal 16 (2021) 667).
inline constexpr double kLargestRhat = 1.01, kFewestEffective = 400;

/// How well chains of one quantity agree, and how many independent draws they are worth.
struct Convergence {
  double rhat = 1;  ///< rank-normalized, about 1 or larger; NaN where the draws are constant or not finite
  double ess = 0;   ///< bulk ESS of all chains together; 0 where rhat is NaN
};

/// Rank-normalized split-R̂ and bulk effective sample size (Vehtari et al. 2021). Each chain is split into
/// halves, which gives M chains of N draws. Of all S = M N draws that of rank r becomes z = Φ⁻¹((r − 3/8)/(S
/// + 1/4)), equal ones that of their mean rank. With W and B the variances of z within and between the
/// chains,
///   var⁺ = (N − 1)/N W + B/N,   R̂ = √(var⁺/W),   ρ_t = 1 − (W − mean autocovariance at lag t)/var⁺,
///   ESS = M N / (−1 + 2 Σ (ρ_2t + ρ_2t+1)) over Geyer's initial positive, monotone sequence,
/// and at most M N log₁₀(M N). The R̂ is the larger one of the draws and of their distances from the median,
/// which sees chains of different widths. Ranks make both hold for heavy tails, as V_β has.
///
/// @param draws   (draw, chain), draws fastest
/// @param chains  ≥ 1, of equal length. With less than 4 draws each the result is NaN and 0
Convergence convergence(std::span<const double> draws, int chains);

/// The R̂ that the largest of several quantities may have: kLargestRhat or, where that is more, what it
/// exceeds by chance in one of 20 runs whose chains do agree. The means of m half chains, worth ESS/m draws
/// each, scatter so that R̂² is 1 − 2/kept + m/ESS · χ²(m − 1)/(m − 1); of N quantities the largest has the χ²
/// of the tail 0.05/(2 N), as each has an R̂ of its draws and one of their distances from the median.
///
/// @param kept  draws of each chain
double rhatLimit(int chains, int kept, double ess, std::size_t quantities);

/// Posterior mean, s.d. and convergence of one hyper-parameter.
struct HyperDiagnostic {
  std::string name;   ///< "Δ[intercept, visual]", "V[visual, visual]"
  std::string group;  ///< "volume", "slice 3"
  double mean = 0, sd = 0;
  Convergence convergence;
};

/// How well the chains of a run have converged.
struct ActivationDiagnostics {
  std::vector<HyperDiagnostic> hyper;  ///< Δ and the lower triangle of V_β, group by group
  double worstRhat = 1;                ///< the largest over voxels and regressors
  std::int64_t worstVoxel = -1;        ///< its voxel's index in the grid; -1 where no R̂ is known
  std::int64_t aboveLimit = 0;         ///< number of voxels with an R̂ above kLargestRhat
  double smallestEss = 0;              ///< the smallest over voxels and regressors
  double medianEss = 0;                ///< median over the voxels of smallestEss()
};

/// The largest R̂ and the smallest effective number of draws over the coefficients of each analyzed voxel, M
/// values. NaN where none is known (in a preview, or where draws never change).
std::vector<float> largestRhat(const ActivationResult& result);
std::vector<float> smallestEss(const ActivationResult& result);

/// Computes the diagnostics of a finished run.
ActivationDiagnostics diagnose(const ActivationResult& result);

/// How many times as many draws it may take until the chains have converged; 1 where they have. They have
/// when each hyper-parameter is worth kFewestEffective draws with an R̂ of at most rhatLimit(), and the R̂ of
/// at most 1 % of the voxels is above kLargestRhat.
double furtherDraws(const ActivationResult& result, const ActivationDiagnostics& diagnostics);

/// A sentence where the chains have not converged (furtherDraws()).
std::optional<Note> convergenceWarning(const ActivationResult& result,
                                       const ActivationDiagnostics& diagnostics);

/// The text of diagnostics.json: the counts of the run, the diagnostics, and what is shown.
///
/// @param shown  the table of shownTable()
std::string diagnosticsJson(const ActivationResult& result, const ActivationDiagnostics& diagnostics,
                            const TableLayer& shown);

/// Names of the values of a draw of Δ (q × k, covariate fastest) and of the lower triangle of V_β by rows.
std::vector<std::string> deltaNames(const ActivationResult& result);
std::vector<std::string> vBetaNames(const ActivationResult& result);

/// The kept draws of one value of Δ or V_β in a group: (draw, chain), draws fastest.
///
/// @param draws  GibbsResult::delta or ::vBeta
/// @param size   number of values of a draw
/// @param value  index of the wanted one among them
std::vector<double> hyperDraws(const ActivationResult& result, const std::vector<double>& draws, int size,
                               int value, int group);

}  // namespace sulcus::activation
