#include "app/analyses/devices.h"

#include "gpu/runtime/device.h"

namespace sulcus::app::analyses {

DeviceReport deviceReport() { return gpu::deviceReport(); }

void useDevice(int index) { gpu::useDevice(index); }

}  // namespace sulcus::app::analyses
