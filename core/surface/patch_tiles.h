#pragma once

#include "core/base/progress.h"
#include "core/surface/band.h"
#include "core/surface/surface_kernel.h"

#include <cstdint>
#include <vector>

namespace sulcus::surface {

/// The number of elements in a tile. The last tile is padded with elements that are infinitely far away.
inline constexpr int kTileElements = 64;

/// The elements of a band in tiles of similar patches, which are the leaves of a k-d tree, with the
/// coordinates of the patches along their leading axes. As an orthonormal change of axes preserves distances,
/// a subset of the axes gives a lower bound of D.
struct PatchTiles {
  std::vector<std::int32_t> elements;  ///< kTileElements per tile; −1 is padding
  std::vector<float> coordinates;      ///< kLeadingAxes × kTileElements per tile, mm
  std::vector<AxisBox> boxes;          ///< the bounding box of each tile, mm
  float rounding = 0;                  ///< axisRounding() of all coordinates, mm

  std::int64_t count() const { return std::int64_t(boxes.size()); }
  const float* tile(std::int64_t t) const { return coordinates.data() + t * kLeadingAxes * kTileElements; }
};

/// @param side  the edge of a patch in voxels
PatchTiles tilesOf(const Patches& patches, int side, const Progress& progress);

}  // namespace sulcus::surface
