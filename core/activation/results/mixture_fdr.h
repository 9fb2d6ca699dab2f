#pragma once

#include "core/activation/design/contrasts.h"
#include "core/activation/results/contrast_estimates.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sulcus::activation {

// The two-group model of a contrast over the voxels (Efron, Large-Scale Inference (2010) ch. 2 and 5; with a
// separate standard error for each voxel as in Stephens, Biostatistics 18 (2017) 275). With probability π₀
// the effect of a voxel is exactly zero, else it is N(μ, τ²). Its estimate x has the standard error κs, where
// s is that of least squares and κ ≥ 1, common to all voxels, is estimated from the voxels without effect (an
// empirical null), so that noise missed by the model of the series does not pass for effects.
//
// If s is about the same in all voxels, a tiny effect in every voxel cannot be distinguished from no effect
// in stronger noise. The latter is assumed (the zero assumption, ch. 6: estimates around zero have no
// effect): the root mean square √(μ² + τ²) of effects that are not zero is at least 2.5 times the mean of s.
//
// If the estimates share an error (common_noise.h), it is subtracted from x: its mean, and an estimate of the
// rest from the voxels without effect, with its distribution as the prior.

/// Parameters of the two groups.
struct FdrMixture {
  double nullShare = 1;         ///< π₀
  double mean = 0, spread = 0;  ///< μ and τ of the nonzero effects, in the unit of the response
  double errorScale = 1;        ///< κ
  /// The error common to all estimates beyond ContrastEstimates::common, in the unit of the response.
  double common = 0;
};

/// With fewer voxels the two groups cannot be distinguished.
inline constexpr std::int64_t kFewestForGroups = 200;

/// Maximum likelihood estimates of the parameters (EM algorithm), with a prior on π₀ that counts as ten
/// voxels without effect. More than 50 000 voxels are thinned evenly. nullopt for fewer than kFewestForGroups
/// voxels whose standard error is above 0.
std::optional<FdrMixture> fitFdrMixture(const ContrastEstimates& estimates);

/// The local FDR of each voxel (M): the probability, given its estimate, that its effect is not above
/// γ, whether it is zero or not. For γ = 0, this is the local false discovery rate of a positive effect.
std::vector<float> localFalseShare(const ContrastEstimates& estimates, const FdrMixture& mixture,
                                   double gamma, const Progress& progress = {});

/// The estimates of a contrast and their two groups, computed once for a result.
struct GroupedEstimates {
  ContrastEstimates estimates;
  std::optional<FdrMixture> groups;
};
std::shared_ptr<const GroupedEstimates> groupedEstimates(const ActivationResult& result,
                                                         const std::vector<double>& weights,
                                                         const Progress& progress = {});
/// Computes those of several contrasts in parallel.
void groupContrasts(const ActivationResult& result, const std::vector<Contrast>& contrasts);

}  // namespace sulcus::activation
