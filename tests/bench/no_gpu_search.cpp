#include "gpu/runtime/device.h"
#include "tests/bench/gpu_search.h"

// Where Sulcus is built without CUDA.

namespace sulcus::bench {

std::string whyNoGpu() { return gpu::deviceReport().reason; }

GpuPeakSearch timeGpuPeakSearch(const Series<float>&, int, const FiberOptions&) {
  gpu::requireDevice();  // throws
  return {};
}

}  // namespace sulcus::bench
