#pragma once

#include "core/activation/design/design.h"
#include "core/image/volume.h"

#include <string>

namespace sulcus::activation {

/// The number of scans at the beginning of a run that are far brighter than the others, before the signal
/// reaches a steady state.
///
/// @param share  is raised to the relative excess brightness of the first scan, if that is larger
int brightScans(const Series<float>& bold, const Run& run, double& share);

/// A warning about initial scans of runs that are far brighter than the others, before the signal reaches a
/// steady state, unless columns of the design remove them; "" if there are none. Far means 3 % of the median
/// of the scans' means and eight robust standard deviations of these.
///
/// @param bold  as many volumes as the design has rows
std::string unsteadyWarning(const Series<float>& bold, const Design& design);

}  // namespace sulcus::activation
