#include "app/analyses/devices.h"

#include "gpu/runtime/device.h"

namespace sulcus::app::analyses {

DeviceReport deviceReport() { return gpu::deviceReport(); }

DeviceReport listDevices() { return gpu::listDevices(); }

bool startDevices() { return gpu::startDevices(); }

void useDevices(const std::vector<int>& numbers) { gpu::useDevices(numbers); }

}  // namespace sulcus::app::analyses
