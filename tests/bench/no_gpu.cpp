#include "gpu/runtime/device.h"
#include "tests/bench/activation/activation_gpu.h"
#include "tests/bench/fibers/fibers_gpu.h"
#include "tests/bench/papers/device_facts.h"
#include "tests/bench/papers/force_variants.h"
#include "tests/bench/papers/patch_variants.h"
#include "tests/bench/papers/power_method_gpu.h"
#include "tests/bench/registration/registration_gpu.h"
#include "tests/bench/surface/surface_gpu.h"

// For builds without CUDA: requireDevice() throws.

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
                              const registration::RegistrationOptions&, const std::vector<int>&) {
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

GpuNeighborSearch timeGpuNeighborSearch(const surface::Band&, int, const std::vector<int>&) {
  gpu::requireDevice();
  return {};
}

DeviceFacts deviceFacts() {
  gpu::requireDevice();
  return {};
}

ForceRun forceOnGpu(ForceVariant, int, const ForceWork&) {
  gpu::requireDevice();
  return {};
}

ForceRun engineForceOnGpu(const ForceWork&) {
  gpu::requireDevice();
  return {};
}

PatchLayout fullLayout(int) {
  gpu::requireDevice();
  return {};
}

double deviceNumbersOfElement() {
  gpu::requireDevice();
  return 0;
}

PatchRun searchByPasses(const surface::Band&, PatchMemory, const PatchLayout&) {
  gpu::requireDevice();
  return {};
}

PowerMethodEnds powerMethodOnGpu(const PowerMethodWork&, bool) {
  gpu::requireDevice();
  return {};
}

}  // namespace sulcus::bench
