#include "gpu/runtime/no_cuda.h"

#include "core/base/error.h"
#include "gpu/runtime/components.h"
#include "gpu/runtime/device.h"

namespace sulcus::gpu {
namespace {

constexpr const char* kReason = "built without CUDA";

}  // namespace

void refuse() {
  throw Error("There is no GPU to run on", kReason, "run on the CPU, or build Sulcus where nvcc is installed",
              ErrorKind::unavailable);
}

std::vector<Component> components() { return {}; }
DeviceReport listDevices() { return {{}, kReason, {}}; }
DeviceReport deviceReport() { return listDevices(); }
void useDevices(const std::vector<int>&) { refuse(); }
std::vector<int> chosenDevices() { return {0}; }
void requireDevice() { refuse(); }
bool startDevices() { return false; }
bool devicesAreStarting() { return false; }
std::string deviceNames() { refuse(); }
std::string theDevice() { return "The GPU"; }
int multiprocessors() { refuse(); }
int sharedBytesPerBlock() { refuse(); }
std::int64_t freeMemory() { return 0; }
std::int64_t totalMemory() { return 0; }

}  // namespace sulcus::gpu
