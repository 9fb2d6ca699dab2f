#pragma once

#include "core/activation/activation.h"
#include "core/image/layer.h"

#include <span>
#include <vector>

namespace sulcus::activation {

/// All layers of a result on its grid, NaN outside the analyzed voxels. The first is shown at once.
///   ppm_<contrast>      P(c'β > γ | y), shown where it is at least `probability`; with `fdr` by the
///   two-group
///                       model, shown so that at most this share of the voxels is expected to be false
///   lfdr_<contrast>     the local FDR: the probability by the two-group model that the effect is
///   zero
///                       or not above γ; where there is a two-group model
///   shown_<contrast>    the voxels shown
///   shown               table: thresholds, how many voxels are shown, what is expected of them
///   mean_, sd_<contrast>       posterior mean and s.d. of c'β, in the response's unit
///   interval_<contrast>        90 % credible interval: lower and upper end, two volumes
///   effect_, variance_<contrast>   least squares: c'β̂ and the square of its standard error
///   t_, z_<contrast>    least squares: effect over standard error, and the normal deviate with that tail
///   f_, z_<joint contrast>     least squares of its rows together: F, and the normal deviate with its upper
///                       tail, at least 0. Its ppm_ is jointProbability(), its lfdr_ the probability that all
///                       rows are zero; its rows are contrasts, too
///   norm_<trial type>   where its response has derivatives: the length of the response with the posterior
///                       means over that of the canonical one, with the sign of the canonical coefficient, so
///                       that a response that comes earlier or later is not taken for a smaller one. After
///                       Calhoun et al., NeuroImage 22 (2004) 1239. In the response's unit
///   hpd_<regressor>     the map of Ferreira da Silva (2010): the posterior mean where it lies outside the 95
///   %
///                       highest-density interval of all voxels' posterior means. It is no probability: it
///                       shows 5 % of the voxels of pure noise too
///   sigma2              posterior mean of the noise variance
///   rhat, ess           the largest R̂ and the smallest effective number of draws over the coefficients
///   delta, vbeta        tables of the kept draws; a preview has none
///   mask                the analyzed voxels
///   draws_<regressor>   every kept draw, a volume each, with the option saveDraws
/// Contrasts are the regressors themselves and those of the options.
/// @throws Error  for contrasts that cannot be read (usage), and for draws above kMostDrawBytes
std::vector<Layer> activationLayers(const ActivationResult& result, const ActivationOptions& options,
                                    const Progress& progress = {});

/// The layers that depend on options that can be changed after a run: ppm_…, lfdr_… and shown_… of every
/// contrast, the table shown, mean_…, sd_…, interval_…, effect_…, variance_…, t_… and z_… of the contrasts
/// that are no regressors, and f_… and z_… of the joint ones.
std::vector<Layer> contrastLayers(const ActivationResult& result, const ActivationOptions& options,
                                  const Progress& progress = {});

/// The display range of a map with both signs, in which 0 is the middle.
Range symmetricRange(std::span<const float> values);
/// Shows a map of probabilities from this threshold on.
void showFrom(Layer& probability, double threshold);

/// Largest size of the layers draws_… together, bytes.
inline constexpr double kMostDrawBytes = 8e9;

/// Size of the layers draws_… together, bytes. Throws Error (unavailable) above kMostDrawBytes.
double drawBytes(int regressors, const GibbsOptions& sampling, const Grid& grid);

}  // namespace sulcus::activation
