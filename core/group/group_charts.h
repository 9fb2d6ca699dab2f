#pragma once

#include "core/analysis/chart.h"
#include "core/group/group.h"
#include "core/image/layer.h"

#include <memory>
#include <vector>

namespace sulcus::group {

/// The charts of a result: the values of all people at the crosshair, by group; for each contrast of one row,
/// t at the crosshair without each person; the distribution of the largest of the image over all exchanges,
/// with the one that was found; and the design.
///
/// @param images  the layer of each map, shown by a click on the point of that person; or none
std::vector<Plot> groupPlots(std::shared_ptr<const GroupResult> result, const GroupInput& input,
                             const std::vector<LayerPtr>& images, const GroupOptions& options);

/// The design matrix.
Chart designChart(const GroupDesign& design);

}  // namespace sulcus::group
