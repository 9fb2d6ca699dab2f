#include "gpu/runtime/device.h"
#include "tests/bench/activation/activation_gpu.h"
#include "tests/bench/fibers/fibers_gpu.h"
#include "tests/bench/registration/registration_gpu.h"
#include "tests/bench/surface/surface_gpu.h"

// Where Sulcus is built without CUDA: requireDevice() throws.

namespace sulcus::bench {

GpuPeakSearch timeGpuPeakSearch(const Series<float>&, int, const fibers::FiberOptions&) {
  gpu::requireDevice();
  return {};
}

GpuSampling timeGpuSampling(const activation::GibbsProblem&, const activation::GibbsOptions&) {
  gpu::requireDevice();
  return {};
}

GpuIteration timeGpuIteration(const registration::LevelImages<float>&,
                              const registration::RegistrationOptions&) {
  gpu::requireDevice();
  return {};
}

double gpuCopyBandwidth() {
  gpu::requireDevice();
  return 0;
}

double timeGpuDescent(const registration::LevelImages<float>&, const registration::RegistrationOptions&,
                      int&) {
  gpu::requireDevice();
  return 0;
}

GpuNeighbourSearch timeGpuNeighbourSearch(const surface::Band&, int) {
  gpu::requireDevice();
  return {};
}

}  // namespace sulcus::bench
