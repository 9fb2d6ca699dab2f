#pragma once

#include "core/surface/band.h"

namespace sulcus {

/// For each element of a band the elements whose patches differ least from its own.
struct PatchNeighbours {
  int count = 0;                    ///< of each element, itself not among them
  std::vector<std::int32_t> index;  ///< `count` per element: least different first, as PatchRank orders them
  std::vector<float> distance;      ///< D of each, mm²

  const std::int32_t* of(std::int64_t element) const { return index.data() + element * count; }
  const float* distancesOf(std::int64_t element) const { return distance.data() + element * count; }
};

/// The `count` most similar of the whole band, fewer where the band is smaller: every element is held against
/// every other or proved to be too far.
using FindNeighbours = PatchNeighbours(const Band&, int count, const Progress&);

/// On the CPU, on all threads of the withThreads() scope.
FindNeighbours findNeighbours;

/// The most similar among the elements at most `radius` voxels away along each axis: quick for very large
/// bands, and not the same as of the whole band. Elements with fewer than `count` in reach have themselves,
/// at D = 0, in the rest of their places.
PatchNeighbours findNeighboursNearby(const Band& band, int count, int radius, const Progress& progress);

}  // namespace sulcus
