#pragma once

#include "core/analysis/chart.h"
#include "core/surface/surface.h"

#include <vector>

namespace sulcus::surface {

/// The plot "Energy": the energy before each iteration, with a mark where a pass begins.
Plot surfaceEnergyPlot(const std::vector<SurfaceIteration>& iterations);

/// The plot "Displacement": a histogram of the displacements of a surface's points in mm, with their mean and
/// standard deviation.
Plot displacementPlot(const std::vector<float>& displacement);

}  // namespace sulcus::surface
