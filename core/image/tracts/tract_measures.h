#pragma once

#include "core/image/grid.h"
#include "core/image/tracts.h"

#include <array>
#include <cstdint>
#include <span>

namespace sulcus {

/// The way along a line, mm.
double lengthOf(std::span<const Vec3<float>> line);

/// What the lines of a bundle have in common.
struct TractSummary {
  std::size_t lines = 0;
  double meanLength = 0, shortest = 0, longest = 0;  ///< mm
};
TractSummary summaryOf(const Tracts& tracts);
/// That of some of the lines.
TractSummary summaryOf(const Tracts& tracts, std::span<const std::uint32_t> lines);

/// The volume of the cubes of `edge` mm that the points of some lines lie in, mm³.
double volumeOf(const Tracts& tracts, std::span<const std::uint32_t> lines, double edge = 2);

/// The smallest box along the axes that holds all points; {0,0,0} twice without any.
std::array<Vec3<float>, 2> boundsOf(const Tracts& tracts);

/// How much of the lines lies outside of the voxels of a grid.
struct Outside {
  double share = 0;     ///< of the points
  double farthest = 0;  ///< mm from the grid
};
Outside outsideOf(const Tracts& tracts, const Grid& grid);

/// Some of the lines, in the order of `lines`, with their data and without groups.
Tracts linesOf(const Tracts& tracts, std::span<const std::uint32_t> lines);

}  // namespace sulcus
