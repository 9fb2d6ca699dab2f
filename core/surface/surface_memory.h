#pragma once

#include "core/surface/surface.h"

#include <cstdint>

namespace sulcus {

/// Memory of this computer that a band of so many voxels takes at most, bytes, for patches of n³ values and m
/// neighbours of each voxel: 4 n³ of patches, 8 m of neighbours, 4 m of their weights, 16 for every edge of
/// the graph while it is sorted (of which symmetric weights have up to 2 m), 4 for each step that is kept,
/// 200 for the order of the search and sums.
double surfaceHostBytes(std::int64_t voxels, const SurfaceOptions& options);

/// Throws Error (bad input, as both follow from it and from the band that was asked for) when a band of so
/// many voxels needs more than `limit` bytes (0: no limit), or its neighbours cannot be counted.
void requireBandFits(std::int64_t voxels, const SurfaceOptions& options, double limit);

}  // namespace sulcus
