#pragma once

#include "core/group/group.h"
#include "core/image/layer.h"

#include <string>
#include <vector>

namespace sulcus::group {

/// The layers of a result, the main one first. For each contrast NAME:
///
///  - shown_NAME: t (F of a joint contrast) where p is at most `alpha` by the chosen correction, else NaN
///  - posterior_NAME: with `bayes`, P(effect > γ), or minus P(effect < −γ) if that is larger
///  - effect_NAME: c'β, in the unit of the maps; not for a joint contrast
///  - t_NAME (f_NAME), z_NAME: t, or F; the normal number with the same tail probability
///  - tfce_NAME: TFCE, with the sign of t; for F, of √F
///  - weighted_effect_NAME, weighted_t_NAME (weighted_f_NAME), weighted_z_NAME: the same with people weighted
///    by the variances of their maps, if these are given
///  - mean_, sd_, low_, high_, people_sd_NAME: with `bayes`, posterior mean, s.d. and 95 % interval of the
///    effect, and the mean of the s.d. between people
///  - logp_tfce_NAME, logp_voxel_NAME, logp_extent_NAME, logp_mass_NAME: −log10 of p, corrected for the whole
///    image, by each correction; 0 where t has the sign that is not tested
///
/// Then between_sd, with variances, and the tables `contrasts` (one row each: exchanges, threshold, voxels
/// shown), `clusters` of what is shown, and `design`.
///
/// @param atlas  names the clusters; null for none
std::vector<Layer> groupLayers(const GroupResult& result, const GroupOptions& options,
                               const LabelsLayer* atlas = nullptr);

/// The layers that depend on the options marked adjustable: shown_NAME, posterior_NAME, `contrasts` and
/// `clusters`.
std::vector<Layer> adjustedLayers(const GroupResult& result, const GroupOptions& options,
                                  const LabelsLayer* atlas = nullptr);

/// Key figures as sentences: people, exchanges, voxels shown, the threshold.
Notes groupSummary(const GroupResult& result, const GroupOptions& options);

}  // namespace sulcus::group
