#include "gpu/runtime/device.h"
#include "tests/bench/registration_gpu.h"

// Where Sulcus is built without CUDA: requireDevice() throws.

namespace sulcus::bench {

GpuIteration timeGpuIteration(const LevelImages<float>&, const RegistrationOptions&) {
  gpu::requireDevice();
  return {};
}

double gpuCopyBandwidth() {
  gpu::requireDevice();
  return 0;
}

double timeGpuDescent(const LevelImages<float>&, const RegistrationOptions&, int&) {
  gpu::requireDevice();
  return 0;
}

}  // namespace sulcus::bench
