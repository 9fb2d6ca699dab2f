#pragma once

#include "core/analysis/chart.h"
#include "core/surface/surface.h"

#include <vector>

namespace sulcus {

/// "Energy": the energy before each iteration, with a mark where a pass begins.
Plot energyPlot(const std::vector<SurfaceIteration>& iterations);

/// "Displacement": histogram of what the points of a surface moved by, mm, with mean and standard deviation.
Plot displacementPlot(const std::vector<float>& displacement);

}  // namespace sulcus
