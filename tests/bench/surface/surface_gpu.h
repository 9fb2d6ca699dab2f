#pragma once

#include "core/surface/neighbors.h"
#include "core/surface/surface.h"

namespace sulcus::bench {

/// The search on the GPU, timed; seconds.
struct GpuNeighborSearch {
  double prepare = 0;   ///< by device events: sorting and layout of the patches
  double kernel = 0;    ///< by device events: the search itself
  double resident = 0;  ///< wall-clock time of both, with patches and lists in device memory
  double deviceBytes = 0;
};
/// On these devices, which share the rows: the times of the slowest. Throws Error if there is no GPU.
GpuNeighborSearch timeGpuNeighborSearch(const surface::Band& band, int count,
                                        const std::vector<int>& devices = {0});

}  // namespace sulcus::bench
