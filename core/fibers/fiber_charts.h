#pragma once

#include "core/analysis/chart.h"

#include <span>

namespace sulcus::fibers {

/// The response over the angle from the fiber, 0° to 90°.
///
/// @param zonal  zonal harmonics of S/S0
/// @param b      s/mm², for the title
Plot responsePlot(std::span<const double> zonal, double b);

}  // namespace sulcus::fibers
