#pragma once

#include "core/activation/activation.h"
#include "core/image/layer.h"

#include <span>
#include <vector>

namespace sulcus::activation {

/// All layers of a result on its grid, NaN outside of the analyzed voxels. The first one is initially
/// visible.
///   ppm_<contrast>      P(c'β > γ | y), shown where it is at least `probability`; with `fdr` by the
///                       two-group model, shown so that at most this share of the voxels is expected to be
///                       false
///   lfdr_<contrast>     the local FDR: the probability by the two-group model that the effect is zero or not
///                       above γ; only if there is a two-group model
///   shown_<contrast>    the voxels shown
///   shown               table: thresholds, numbers of voxels shown, expected false share
///   mean_, sd_<contrast>       posterior mean and s.d. of c'β, in the response's unit
///   interval_<contrast>        90 % credible interval: lower and upper end, two volumes
///   effect_, variance_<contrast>   least squares: c'β̂ and the square of its standard error
///   t_, z_<contrast>    least squares: effect over standard error, and the normal deviate with that tail
///   f_, z_<joint contrast>     least squares of its rows together: F, and the normal deviate with its upper
///                              tail, at least 0. Its ppm_ is jointProbability(), its lfdr_ the probability
///                              that all rows are zero; its rows are contrasts, too
///   norm_<trial type>   if its response has derivatives: the length of the response with the posterior means
///                       relative to that of the canonical one, with the sign of the canonical coefficient,
///                       so that an earlier or later response does not appear smaller. After Calhoun et al.,
///                       NeuroImage 22 (2004) 1239. In the response's unit
///   hpd_<regressor>     the map of Ferreira da Silva (2010): the posterior mean where it lies outside the 95
///                       % highest-density interval of all voxels' posterior means. It is not a probability:
///                       it shows 5 % of the voxels also in pure noise
///   sigma2              posterior mean of the noise variance
///   rhat, ess           the largest R̂ and the smallest effective number of draws over the coefficients
///   delta, vbeta        tables of the kept draws; not in a preview
///   mask                the analyzed voxels
///   draws_<regressor>   every kept draw as a volume, with the option saveDraws
/// Contrasts are the regressors themselves and those of the options.
/// @throws Error  for contrasts that cannot be parsed (usage), and for draws above kMostDrawBytes
std::vector<Layer> activationLayers(const ActivationResult& result, const ActivationOptions& options,
                                    const Progress& progress = {});

/// The layers that depend on adjustable options: ppm_…, lfdr_… and shown_… of every contrast, the table
/// shown, mean_…, sd_…, interval_…, effect_…, variance_…, t_… and z_… of the contrasts other than regressors,
/// and f_… and z_… of the joint ones.
std::vector<Layer> contrastLayers(const ActivationResult& result, const ActivationOptions& options,
                                  const Progress& progress = {});

/// Sets the threshold from which a map of probabilities is shown.
void showFrom(Layer& probability, double threshold);

/// Largest total size of the layers draws_…, bytes.
inline constexpr double kMostDrawBytes = 8e9;

/// Total size of the layers draws_…, bytes. Throws Error (unavailable) above kMostDrawBytes.
double drawBytes(int regressors, const GibbsOptions& sampling, const Grid& grid);

}  // namespace sulcus::activation
