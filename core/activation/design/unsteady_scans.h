#pragma once

#include "core/activation/design/design.h"
#include "core/image/volume.h"

#include <string>

namespace sulcus::activation {

/// How many scans at the beginning of a run are far brighter than its others, as before the signal is steady.
///
/// @param share  becomes, where it is less, by how much of the others the first is brighter
int brightScans(const Series<float>& bold, const Run& run, double& share);

/// A warning of the first scans of each run that are far brighter than the others, as before the signal is
/// steady, unless columns of the design take them out; "" where there are none. Far is 3 % of the median of
/// the scans' means and eight robust standard deviations of these.
///
/// @param bold  as many volumes as the design has rows
std::string unsteadyWarning(const Series<float>& bold, const Design& design);

}  // namespace sulcus::activation
