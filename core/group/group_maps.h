#pragma once

#include "core/group/group.h"
#include "core/image/layer.h"

#include <string>
#include <vector>

namespace sulcus::group {

/// The layers of a result, the main one first. For each contrast NAME:
///
///  - shown_NAME: t (F of a joint contrast) where p is at most `alpha` by the chosen correction, else NaN
///  - posterior_NAME: with `bayes`, P(effect > γ), or minus P(effect < −γ) where that is larger
///  - effect_NAME: c'β, in the unit of the maps; not of a joint contrast
///  - t_NAME (f_NAME), z_NAME: t, or F; the normal number that is exceeded as rarely
///  - tfce_NAME: TFCE, with the sign of t; of F that of its root
///  - weighted_effect_NAME, weighted_t_NAME (weighted_f_NAME), weighted_z_NAME: the same with people weighted
///    by the variances of their maps, where these are given
///  - mean_, sd_, low_, high_, people_sd_NAME: with `bayes`, posterior mean, s.d. and 95 % interval of the
///    effect, and the mean of the s.d. across people
///  - logp_tfce_NAME, logp_voxel_NAME, logp_extent_NAME, logp_mass_NAME: −log10 of p, corrected for the whole
///    image, by each correction; 0 where t has the sign that is not asked for
///
/// Then between_sd, with variances, and the tables `contrasts` (a row each: exchanges, threshold, places
/// shown), `clusters` of what is shown, and `design`.
///
/// @param atlas  names the clusters; null for none
std::vector<Layer> groupLayers(const GroupResult& result, const GroupOptions& options,
                               const LabelsLayer* atlas = nullptr);

/// Those of them that depend on the options marked adjustable: shown_NAME, posterior_NAME, `contrasts` and
/// `clusters`.
std::vector<Layer> adjustedLayers(const GroupResult& result, const GroupOptions& options,
                                  const LabelsLayer* atlas = nullptr);

/// Key figures as sentences: people, exchanges, places shown, the threshold.
Notes groupSummary(const GroupResult& result, const GroupOptions& options);

}  // namespace sulcus::group
