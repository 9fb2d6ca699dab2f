#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace sulcus::app::remote {

/// Compares maps of the same name: peaks by angle, surfaces with the same triangles point by point, others
/// value by value. Values agree within a thousandth of the displayed range of the map.
Comparison compareLayers(const std::vector<Layer>& a, const std::vector<Layer>& b, const Progress& progress);

}  // namespace sulcus::app::remote
