#include "gpu/runtime/device.h"
#include "tests/bench/surface_gpu.h"

// Where Sulcus is built without CUDA: requireDevice() throws.

namespace sulcus::bench {

GpuNeighbourSearch timeGpuNeighbourSearch(const Band&, int) {
  gpu::requireDevice();
  return {};
}

}  // namespace sulcus::bench
