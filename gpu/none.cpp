#include "core/base/error.h"
#include "gpu/activation/activation.h"
#include "gpu/fibers/fibers.h"
#include "gpu/registration/registration.h"
#include "gpu/runtime/device.h"
#include "gpu/surface/surface.h"

// Stands in for all of gpu/ where Sulcus is built without CUDA.

namespace sulcus::gpu {
namespace {

constexpr const char* kReason = "built without CUDA";

[[noreturn]] void refuse() {
  throw Error("There is no GPU to run on", kReason, "run on the CPU, or build Sulcus where nvcc is installed",
              ErrorKind::unavailable);
}

}  // namespace

DeviceReport deviceReport() { return {{}, kReason}; }
void useDevice(int) { refuse(); }
void requireDevice() { refuse(); }
std::string deviceName() { return ""; }
std::int64_t freeMemory() { return 0; }

FiberMaps findFibers(const FiberInput&, const FiberOptions&, const Progress&) { refuse(); }

GibbsResult sampleGibbs(const GibbsProblem&, const GibbsOptions&, const GibbsPreview&, const Progress&) {
  refuse();
}
double gibbsDeviceBytes(const GibbsProblem&, const GibbsOptions&) { return 0; }
ActivationResult analyzeActivation(const ActivationInput&, const ActivationOptions&, const Progress&) {
  refuse();
}

RegistrationResult registerImages(const RegistrationInput&, const RegistrationOptions&, const Progress&) {
  refuse();
}

PatchNeighbours findNeighbours(const Band&, int, const Progress&) { refuse(); }
SurfaceFlow flowOver(const SurfaceSearch&, const SurfaceInput&, const SurfaceOptions&, const Progress&) {
  refuse();
}
SurfaceResult denoiseSurface(const SurfaceInput&, const SurfaceOptions&, const Progress&) { refuse(); }
double surfaceDeviceBytes(std::int64_t, const SurfaceOptions&) { return 0; }

}  // namespace sulcus::gpu
