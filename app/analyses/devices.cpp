#include "app/analyses/devices.h"

#include "gpu/runtime/device.h"

namespace sulcus::app::analyses {

DeviceReport deviceReport() { return gpu::deviceReport(); }

DeviceReport listDevices() { return gpu::listDevices(); }

bool startDevice() { return gpu::startDevice(); }

void useDevice(int index) { gpu::useDevice(index); }

}  // namespace sulcus::app::analyses
