#pragma once

#include "core/image/volume.h"

#include <vector>

namespace sulcus::io {

/// A series whose slices are unevenly spaced or shifted relative to each other, interpolated linearly onto an
/// even grid from the first to the last.
///
/// @param series   its grid has the axes of the pictures and the line from the first slice to the last, in as
///                 many steps as there are slices
/// @param origins  for each slice, the center of its first voxel, mm, RAS+, ascending along the normal
/// @return         as many slices as the finest spacing requires, at most three times as many; outside of a
///                 shifted picture its edge values are used
Series<float> onEvenSlices(const Series<float>& series, const std::vector<Vec3<double>>& origins);

}  // namespace sulcus::io
