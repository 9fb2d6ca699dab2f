#pragma once

#include "core/surface/band_estimate.h"
#include "core/surface/surface.h"

#include <cstdint>

namespace sulcus::surface {

/// The largest memory of the computer that a band of so many voxels takes, in bytes. For patches of n³ values
/// and m neighbors a voxel takes 8 m for the neighbors, 4 for each step that is kept, 200 for the order of
/// the search and for sums, and the larger of two: 4 n³ for its patch while it is searched, or 4 m for
/// weights and 16 for each edge of the graph while it is sorted (m edges, or up to 2 m with symmetric
/// weights).
double bandHostBytes(std::int64_t voxels, const SurfaceOptions& options);

/// The memory of the computer that a run takes, in bytes: that of its band, and 40 for each voxel of the
/// grid, for level sets, masks, and what distances take.
double surfaceHostBytes(const BandEstimate& band, const SurfaceOptions& options);

/// Throws Error when a band of so many voxels needs more than `limit` bytes, where 0 is no limit, or when its
/// neighbors cannot be numbered. It is an error of bad input, as it follows from the input and the options.
void requireBandFits(std::int64_t voxels, const SurfaceOptions& options, double limit);

}  // namespace sulcus::surface
