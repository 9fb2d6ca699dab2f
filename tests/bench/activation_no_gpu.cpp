#include "gpu/runtime/device.h"
#include "tests/bench/activation_gpu.h"

// Where Sulcus is built without CUDA.

namespace sulcus::bench {

GpuSampling timeGpuSampling(const GibbsProblem&, const GibbsOptions&) {
  gpu::requireDevice();  // throws
  return {};
}

}  // namespace sulcus::bench
