#pragma once

#include "core/analysis/chart.h"
#include "core/group/group.h"
#include "core/image/layer.h"

#include <memory>
#include <vector>

namespace sulcus::group {

/// The charts of a result: the values of all people at the crosshair, by group; t there without each of them,
/// for each contrast of one row; the largest of the image in
/// all exchanges, with the one that was found; and the design.
///
/// @param images  the layer of each map, which a click on a person's point shows; or none
std::vector<Plot> groupPlots(std::shared_ptr<const GroupResult> result, const GroupInput& input,
                             const std::vector<LayerPtr>& images, const GroupOptions& options);

/// The design matrix.
Chart designChart(const GroupDesign& design);

}  // namespace sulcus::group
