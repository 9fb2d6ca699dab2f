#pragma once

#include "core/base/progress.h"
#include "core/image/tracts.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// How far lines lie from each other, and which lie together.
namespace sulcus {

/// A line as twelve places evenly along it.
using ShortLine = std::array<Vec3<float>, 12>;
ShortLine shortened(std::span<const Vec3<float>> line);

/// The mean distance of places of two lines that belong together, mm, of both directions the smaller one
/// (MDF; Garyfallidis et al., Front Neurosci 6 (2012) 175).
double distanceOf(const ShortLine& a, const ShortLine& b);

/// Lines that lie together, the largest group first: each line joins the group whose mean is nearest, if that
/// is within `most` mm, else it begins one (QuickBundles, ibid.). Groups are called "cluster 1" and so on;
/// lines without points are in none.
std::vector<Tracts::Group> clustersOf(const Tracts& tracts, double most, const Progress& progress = {});

/// Of some of the lines of `tracts` the distance to the nearest of `others`, mm; infinite where there is
/// none.
std::vector<double> distancesToNearest(const Tracts& tracts, std::span<const std::uint32_t> lines,
                                       const Tracts& others, const Progress& progress = {});

/// The lines that another set does not have, point by point.
std::vector<std::uint32_t> linesNotIn(const Tracts& tracts, const Tracts& others);

}  // namespace sulcus
