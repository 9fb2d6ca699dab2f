#pragma once

#include "core/activation/activation.h"
#include "core/image/layer.h"

#include <vector>

namespace sulcus {

/// All layers of a result, NaN outside the voxels worked on; the first is what a user came for:
///   ppm_<contrast>      P(c'β > γ | y), shown where it is at least `probability` (or by `fdr`)
///   mean_, sd_<contrast>       posterior mean and s.d. of c'β, in the response's unit
///   interval_<contrast>        90 % credible interval: lower and upper end, two volumes
///   hpd_<regressor>     the paper's map: posterior mean where it lies outside the 95 % highest-density
///   interval
///                       of all voxels' posterior means. No probability: of pure noise it shows 5 % too
///   sigma2              posterior mean of the noise variance
///   rhat, ess           of the coefficients: the largest and the smallest over the regressors
///   delta, vbeta        tables of the kept draws; not of a preview
///   mask                the voxels worked on
///   draws_<regressor>   every kept draw, a volume each, where asked for
/// Contrasts are the regressors themselves and those of the options.
/// @throws Error  for contrasts that cannot be read (usage), or draws that need more memory than
/// kMostDrawBytes
std::vector<Layer> activationLayers(const ActivationResult& result, const ActivationOptions& options,
                                    const Progress& progress = {});

/// Those of the layers that depend on options that can be changed afterwards: ppm_… of every contrast, and
/// mean_, sd_, interval_… of those beside the regressors.
std::vector<Layer> contrastLayers(const ActivationResult& result, const ActivationOptions& options,
                                  const Progress& progress = {});

/// Largest set of draws that is kept, bytes.
inline constexpr double kMostDrawBytes = 8e9;

/// Size of all layers draws_… together, bytes; throws Error (unavailable) above kMostDrawBytes.
double drawBytes(int regressors, const GibbsOptions& sampling, const Grid& grid);

}  // namespace sulcus
