#pragma once

#include "core/activation/design/contrasts.h"
#include "core/activation/results/contrast_estimates.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sulcus::activation {

// The two-group model of a contrast over the voxels (Efron, Large-Scale Inference (2010) ch. 2 and 5; with a
// standard error of its own for each voxel as Stephens, Biostatistics 18 (2017) 275). With probability π₀ the
// effect of a voxel is exactly zero, else it is N(μ, τ²). Its estimate x has the standard error κs, where s
// is what least squares says and κ ≥ 1, the same for all voxels, what the voxels without effect say of it (an
// empirical null). So noise that the model of the series misses does not pass for effects.
//
// Where s is about the same in all voxels, a tiny effect in every one of them looks like no effect in noise
// that is wider. The latter is assumed (the zero assumption, ch. 6: what lies about zero has no effect): the
// root mean square √(μ² + τ²) of effects that are not zero is at least 2.5 times the mean of s.
//
// Where the estimates share an error (common_noise.h), that is taken off x: its mean, and what the voxels
// without effect say of the rest, with its law as the prior.

/// Parameters of the two groups.
struct FdrMixture {
  double nullShare = 1;         ///< π₀
  double mean = 0, spread = 0;  ///< μ and τ of the effects that are not zero, in the unit of the response
  double errorScale = 1;        ///< κ
  double common =
      0;  ///< error of all estimates beyond ContrastEstimates::common, in the unit of the response
};

/// Fewer voxels than this do not tell the two groups apart.
inline constexpr std::int64_t kFewestForGroups = 200;

/// The parameters by maximum likelihood (the EM algorithm), with a prior on π₀ that counts as ten voxels
/// without effect. More than 50 000 voxels are thinned evenly. Nothing for fewer than kFewestForGroups voxels
/// whose standard error is above 0.
std::optional<FdrMixture> fitFdrMixture(const ContrastEstimates& estimates);

/// The local FDR of each voxel (M): the probability given its estimate that its effect is not above
/// γ, be it zero or one of the others. Where γ = 0, this is the local false discovery rate of a positive
/// effect.
std::vector<float> localFalseShare(const ContrastEstimates& estimates, const FdrMixture& groups, double gamma,
                                   const Progress& progress = {});

/// The estimates of a contrast and their two groups, computed once for a result.
struct GroupedEstimates {
  ContrastEstimates estimates;
  std::optional<FdrMixture> groups;
};
std::shared_ptr<const GroupedEstimates> groupedEstimates(const ActivationResult& result,
                                                         const std::vector<double>& weights,
                                                         const Progress& progress = {});
/// Computes those of several contrasts side by side.
void groupContrasts(const ActivationResult& result, const std::vector<Contrast>& contrasts);

}  // namespace sulcus::activation
