#pragma once

#include "core/activation/activation.h"
#include "core/activation/design/contrasts.h"
#include "core/activation/results/mixture_fdr.h"
#include "core/base/note.h"
#include "core/image/layer.h"

#include <optional>
#include <string>
#include <vector>

namespace sulcus::activation {

/// Which voxels of a contrast are shown, and what that is worth.
struct ShownVoxels {
  std::string contrast;
  bool joint = false;              ///< of rows together: γ does not count, and mean and spread of the groups
                                   ///< are of the lengths of effects in standard errors
  bool byFalseShare = false;       ///< by the option `fdr`, else by `probability`
  std::vector<float> probability;  ///< M: P(c'β > γ | y), by the two-group model where byFalseShare
  std::vector<float> falseShare;   ///< M: localFalseShare(); empty without groups
  std::optional<FdrMixture> groups;
  double threshold = 0;        ///< voxels are shown where the probability is at least this; above 1 none is
  std::int64_t count = 0;      ///< how many are shown
  double expectedFalse = NAN;  ///< mean local FDR of those shown; NaN without groups or voxels
  Notes notes;                 ///< the same in sentences
};

/// Decides by the options `gamma`, `probability` and `fdr`. With `fdr` a voxel is shown where its local false
/// share is at most the largest value with which the mean over those shown is at most `fdr`. Without the two
/// groups (fewer than kFewestForGroups voxels) no false share is promised: `probability` holds, and a note
/// says so.
ShownVoxels shownVoxels(const ActivationResult& result, const Contrast& contrast,
                        const ActivationOptions& options, const Progress& progress = {});

/// The voxels shown of a joint contrast, by jointProbability() and jointFalseShare().
ShownVoxels shownVoxels(const ActivationResult& result, const JointContrast& contrast,
                        const ActivationOptions& options, const Progress& progress = {});

/// The table `shown`, a row for each contrast: rule, γ, threshold, voxels shown, the false share expected
/// among them, and the two groups.
Layer shownTable(const std::vector<ShownVoxels>& shown, const ActivationOptions& options);

}  // namespace sulcus::activation
