#include "app/cli/study/memory_gate.h"

#include "core/base/platform/memory/host_memory.h"
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

void MemoryGate::waitIn(std::unique_lock<std::mutex>& lock, const Progress& progress) {
  constexpr auto kBetween = std::chrono::milliseconds(50);  // interval of checks whether to stop
  progress.update(0);
  ended_.wait_for(lock, kBetween);
}

void MemoryGate::beforeReading(const Progress& progress) {
  std::unique_lock lock(mutex_);
  if (!freeHost_) freeHost_ = freeHostMemory();
  while (waiting_ > 0) waitIn(lock, progress);
}

MemoryGate::Pass MemoryGate::enter(const MemoryNeed& need, bool onDevice, const Progress& progress) {
  const double host = onDevice && need.besideDeviceBytes > 0 ? need.besideDeviceBytes : need.hostBytes;
  const double device = onDevice ? need.deviceBytes : 0;
  const auto fits = [](double free, double taken, double more) { return free <= 0 || taken + more <= free; };
  std::unique_lock lock(mutex_);
  if (!freeHost_) freeHost_ = freeHostMemory();
  if (!freeDevice_) {
    if (onDevice && gpu::totalMemory() > 0) gpu::requireDevice();  // before its free memory is queried
    freeDevice_ = onDevice ? double(gpu::freeMemory()) : 0;
  }
  struct Waiting {
    int& count;
    explicit Waiting(int& waiting) : count(waiting) { ++count; }
    ~Waiting() { --count; }
  };
  {
    const Waiting waits(waiting_);
    while (runs_ > 0 && !(fits(*freeHost_, hostBytes_, host) && fits(*freeDevice_, deviceBytes_, device)))
      waitIn(lock, progress);
  }
  ++runs_, hostBytes_ += host, deviceBytes_ += device;
  ended_.notify_all();  // wakes those that wait before reading
  return {*this, host, device};
}

}  // namespace sulcus::app::cli
