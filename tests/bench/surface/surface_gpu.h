#pragma once

#include "core/surface/neighbors.h"
#include "core/surface/surface.h"

namespace sulcus::bench {

/// The search on the GPU, timed; seconds.
struct GpuNeighborSearch {
  double prepare = 0;   ///< by device events: order and layout of the patches
  double kernel = 0;    ///< by device events: the search itself
  double resident = 0;  ///< by the clock: both, patches and lists in device memory
  double deviceBytes = 0;
};
/// On the devices of these numbers, which share out the rows: the times of the slowest. Throws Error where
/// there is no GPU.
GpuNeighborSearch timeGpuNeighborSearch(const surface::Band& band, int count,
                                        const std::vector<int>& devices = {0});

}  // namespace sulcus::bench
