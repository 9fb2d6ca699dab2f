#include "app/cli/memory_gate.h"

#include "core/base/host_memory.h"
#include "gpu/runtime/device.h"

#include <chrono>

namespace sulcus::app::cli {

MemoryGate::Pass::~Pass() {
  {
    const std::scoped_lock lock(gate_.mutex_);
    --gate_.runs_, gate_.hostBytes_ -= hostBytes_, gate_.deviceBytes_ -= deviceBytes_;
  }
  gate_.ended_.notify_all();
}

MemoryGate::Pass MemoryGate::enter(const MemoryNeed& need, bool onDevice, const Progress& progress) {
  constexpr auto kBetween = std::chrono::milliseconds(50);  // looks at whether to stop
  const double host = onDevice && need.besideDeviceBytes > 0 ? need.besideDeviceBytes : need.hostBytes,
               device = onDevice ? need.deviceBytes : 0;
  const auto fits = [](double free, double taken, double more) { return free <= 0 || taken + more <= free; };
  std::unique_lock lock(mutex_);
  if (!free_) {
    if (onDevice && gpu::totalMemory() > 0) gpu::requireDevice();  // whose free memory is asked for
    free_ = Free{freeHostMemory(), onDevice ? double(gpu::freeMemory()) : 0};
  }
  while (runs_ > 0 && !(fits(free_->host, hostBytes_, host) && fits(free_->device, deviceBytes_, device))) {
    progress.update(0);
    ended_.wait_for(lock, kBetween);
  }
  ++runs_, hostBytes_ += host, deviceBytes_ += device;
  return {*this, host, device};
}

}  // namespace sulcus::app::cli
