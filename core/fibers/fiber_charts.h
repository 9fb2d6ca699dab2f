#pragma once

#include "core/analysis/chart.h"

#include <span>
#include <vector>

namespace sulcus::fibers {

/// The response as a function of the angle to the fiber, 0° to 90°.
///
/// @param zonal  zonal harmonics of S/S0
/// @param b      s/mm², for the title
Plot responsePlot(std::span<const double> zonal, double b);

/// The signals of white matter across and along the fiber, of gray matter and of CSF, over b; all relative to
/// that of white matter at b = 0.
///
/// @param responses  rows of zonal harmonics for each shell, by tissue
/// @param shells     s/mm², b = 0 first
Plot tissueResponsePlot(std::span<const std::vector<std::vector<double>>> responses,
                        std::span<const double> shells);

}  // namespace sulcus::fibers
