#pragma once

#include "core/image/grid.h"
#include "core/image/tracts.h"

#include <array>
#include <cstdint>
#include <span>

namespace sulcus {

/// The length of a line, mm.
double lengthOf(std::span<const Vec3<float>> line);

/// Statistics of the lines of a bundle.
struct TractSummary {
  std::size_t lines = 0;
  double meanLength = 0, shortest = 0, longest = 0;  ///< mm
};
TractSummary summaryOf(const Tracts& tracts);
/// The summary of some of the lines.
TractSummary summaryOf(const Tracts& tracts, std::span<const std::uint32_t> lines);

/// The volume covered by some lines: of the cubes of `edge` mm that contain their points, mm³.
double volumeOf(const Tracts& tracts, std::span<const std::uint32_t> lines, double edge = 2);

/// The axis-aligned bounding box of all points; {0,0,0} twice if there are none.
std::array<Vec3<float>, 2> boundsOf(const Tracts& tracts);

/// How much of the lines lies outside of the voxels of a grid.
struct Outside {
  double share = 0;     ///< share of the points
  double farthest = 0;  ///< largest distance from the grid, mm
};
Outside outsideOf(const Tracts& tracts, const Grid& grid);

/// Some of the lines, in the order of `lines`, with their data but without groups.
Tracts linesOf(const Tracts& tracts, std::span<const std::uint32_t> lines);

}  // namespace sulcus
