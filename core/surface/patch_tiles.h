#pragma once

#include "core/surface/band.h"
#include "core/surface/patch_axes.h"

#include <algorithm>
#include <array>

namespace sulcus {

/// Elements of a tile; the last one is filled up with elements that are infinitely far.
inline constexpr int kTileElements = 64;

/// The elements of a band in tiles of similar patches (leaves of a k-d tree), with the coordinates of the
/// patches along their leading axes. An orthonormal change of axes keeps distances, so a part of the axes
/// gives a lower bound of D.
struct PatchTiles {
  std::vector<std::int32_t> elements;  ///< kTileElements per tile; −1 where filled up
  std::vector<float> coordinates;      ///< of each tile kLeadingAxes × kTileElements, mm
  struct Box {
    std::array<float, kLeadingAxes> low, high;
  };
  std::vector<Box> boxes;  ///< of each tile
  /// No distance along the leading axes differs by more than this from the exact one, mm.
  float rounding = 0;

  std::int64_t count() const { return std::int64_t(boxes.size()); }
  const float* tile(std::int64_t t) const { return coordinates.data() + t * kLeadingAxes * kTileElements; }
};

PatchTiles tilesOf(const Band& band, const Progress& progress);

/// Lower bound of the squared distance, along the leading axes, between what lies in two boxes.
float squaredGap(const PatchTiles::Box& a, const PatchTiles::Box& b);
/// Of what lies at a point.
inline float squaredGap(const float (&point)[kLeadingAxes], const PatchTiles::Box& box) {
  float sum = 0;
  for (std::size_t k = 0; k < kLeadingAxes; ++k) {
    const float gap = std::max({0.f, point[k] - box.high[k], box.low[k] - point[k]});
    sum += gap * gap;
  }
  return sum;
}

}  // namespace sulcus
