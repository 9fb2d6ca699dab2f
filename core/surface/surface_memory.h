#pragma once

#include "core/surface/surface.h"

#include <cstdint>

namespace sulcus::surface {

/// The largest memory of the computer that a band of so many voxels takes, in bytes. For patches of n³ values
/// and m neighbours a voxel takes 4 n³ for its patch, 8 m for the neighbours, 4 m for their weights, 16 for
/// each edge of the graph while it is sorted (m edges, or up to 2 m with symmetric weights), 4 for each step
/// that is kept, and 200 for the order of the search and for sums.
double surfaceHostBytes(std::int64_t voxels, const SurfaceOptions& options);

/// Throws Error when a band of so many voxels needs more than `limit` bytes, where 0 is no limit, or when its
/// neighbours cannot be numbered. It is an error of bad input, as it follows from the input and the options.
void requireBandFits(std::int64_t voxels, const SurfaceOptions& options, double limit);

}  // namespace sulcus::surface
