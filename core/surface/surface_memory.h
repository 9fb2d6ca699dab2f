#pragma once

#include "core/surface/band_estimate.h"
#include "core/surface/surface.h"

#include <cstdint>

namespace sulcus::surface {

/// Peak host memory of a band with this number of voxels, bytes. For patches of n³ values and m neighbors a
/// voxel takes 8 m for the neighbors, 4 for each step that is kept, 200 for the order of the search and for
/// sums, and the larger of two: 4 n³ for its patch during the search, or 4 m for weights and 16 for each edge
/// of the graph while it is sorted (m edges, or up to 2 m with symmetric weights).
double bandHostBytes(std::int64_t voxels, const SurfaceOptions& options);

/// Host memory of a run, bytes: that of its band, plus 40 for each voxel of the grid, for level sets, masks
/// and the computation of distances.
double surfaceHostBytes(const BandEstimate& band, const SurfaceOptions& options);

/// Throws Error (bad input, as it follows from the input and the options) if a band of this number of voxels
/// needs more than `limit` bytes (0: no limit), or if its neighbors cannot be numbered.
void requireBandFits(std::int64_t voxels, const SurfaceOptions& options, double limit);

}  // namespace sulcus::surface
