#pragma once

#include "core/surface/band.h"

namespace sulcus::surface {

/// The neighbors of each element of a band: the other elements whose patches differ least from its own.
struct PatchNeighbors {
  int count = 0;                    ///< neighbors per element
  std::vector<std::int32_t> index;  ///< `count` elements per element, in the order of PatchRank
  std::vector<float> distance;      ///< D of each neighbor, mm²

  const std::int32_t* of(std::int64_t element) const { return index.data() + element * count; }
  const float* distancesOf(std::int64_t element) const { return distance.data() + element * count; }
};

/// A function that finds the `count` nearest neighbors of each element in the whole band, or all others if
/// the band is smaller. The search is exact: every pair is compared or proved to be too different.
using FindNeighbors = PatchNeighbors(const Band&, int count, const Progress&);

/// Searches on the CPU, on all threads of the withThreads() scope.
FindNeighbors findNeighbors;

/// The nearest neighbors among the elements at most `radius` voxels away along each axis, which is fast for
/// very large bands but differs from the search of the whole band. If an element has fewer than `count`
/// others in reach, the rest of its list is filled with itself, at D = 0.
PatchNeighbors findNeighborsNearby(const Band& band, int count, int radius, const Progress& progress);

}  // namespace sulcus::surface
