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

/// Which voxels of a contrast are shown, and how reliable that is.
struct ShownVoxels {
  std::string contrast;
  bool joint = false;              ///< of rows together: γ is ignored, and mean and spread of the groups are
                                   ///< those of the lengths of effects in standard errors
  bool byFalseShare = false;       ///< by the option `fdr`, else by `probability`
  std::vector<float> probability;  ///< M: P(c'β > γ | y), by the two-group model if byFalseShare
  std::vector<float> falseShare;   ///< M: localFalseShare(); empty without groups
  std::optional<FdrMixture> groups;
  double threshold = 0;        ///< voxels with at least this probability are shown; above 1: none
  std::int64_t count = 0;      ///< number of voxels shown
  double expectedFalse = NAN;  ///< mean local FDR of those shown; NaN without groups or voxels
  Notes notes;                 ///< the same in sentences
};

/// Decides by the options `gamma`, `probability` and `fdr`. With `fdr` a voxel is shown if its local false
/// share is at most the largest value for which the mean over those shown is at most `fdr`. Without the two
/// groups (fewer than kFewestForGroups voxels) no false share can be controlled: `probability` is used, and a
/// note says so.
ShownVoxels shownVoxels(const ActivationResult& result, const Contrast& contrast,
                        const ActivationOptions& options, const Progress& progress = {});

/// The shown voxels of a joint contrast, by jointProbability() and jointFalseShare().
ShownVoxels shownVoxels(const ActivationResult& result, const JointContrast& contrast,
                        const ActivationOptions& options, const Progress& progress = {});

/// The table `shown` with a row for each contrast: rule, γ, threshold, voxels shown, the false share expected
/// among them, and the two groups.
Layer shownTable(const std::vector<ShownVoxels>& shown, const ActivationOptions& options);

}  // namespace sulcus::activation
