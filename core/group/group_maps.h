#pragma once

#include "core/group/group.h"
#include "core/image/layer.h"

#include <string>
#include <vector>

namespace sulcus::group {

/// The layers of a result, for each contrast NAME, the main one first:
///   shown_NAME        t where p is at most `alpha` by the chosen correction, else NaN
///   effect_NAME       c'β, in the unit of the maps
///   t_NAME, z_NAME    t, and the normal number that is exceeded as rarely
///   tfce_NAME         its TFCE value, with the sign of t
///   logp_tfce_NAME, logp_voxel_NAME, logp_extent_NAME, logp_mass_NAME
///                     −log10 of p, corrected for the whole image, by each correction; 0 where t has the sign
///                     that is not asked for
/// then the tables `contrasts` (a row each: exchanges, threshold, places shown) and `people` (the design).
std::vector<Layer> groupLayers(const GroupResult& result, const GroupOptions& options);

/// Those of them that depend on the options marked adjustable: shown_NAME and `contrasts`.
std::vector<Layer> adjustedLayers(const GroupResult& result, const GroupOptions& options);

/// Key figures as sentences: people, exchanges, places shown, the threshold.
Notes groupSummary(const GroupResult& result, const GroupOptions& options);

}  // namespace sulcus::group
