#include "gpu/runtime/devices.h"

#include "core/base/parallel/parallel_for.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <exception>
#include <thread>

namespace sulcus::gpu {
namespace {

/// Lets `reader` access memory allocated on `owner`, directly and from its pool.
void openMemory(int owner, int reader) {
  int possible = 0;
  SULCUS_CUDA(cudaDeviceCanAccessPeer(&possible, reader, owner));
  if (possible == 0) return;
  const OnDevice there(reader);
  const cudaError_t opened = cudaDeviceEnablePeerAccess(owner, 0);
  if (opened != cudaErrorPeerAccessAlreadyEnabled) SULCUS_CUDA(opened);
  cudaGetLastError();
  cudaMemPool_t pool{};
  SULCUS_CUDA(cudaDeviceGetDefaultMemPool(&pool, owner));
  cudaMemAccessDesc access{};
  access.location = {cudaMemLocationTypeDevice, reader};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  SULCUS_CUDA(cudaMemPoolSetAccess(pool, &access, 1));
}

}  // namespace

void joinDevices(const std::vector<int>& devices) {
  for (const int owner : devices)
    for (const int reader : devices)
      if (owner != reader) openMemory(owner, reader);
}

void onEachDevice(const std::vector<int>& devices, const std::function<void(int)>& work) {
  joinDevices(devices);
  const int count = int(devices.size()), threads = std::max(1, threadCount() / count);
  std::vector<std::exception_ptr> thrown(devices.size());
  const auto workOn = [&](int i) {
    try {
      SULCUS_CUDA(cudaSetDevice(devices[std::size_t(i)]));
      work(i);
    } catch (...) {
      thrown[std::size_t(i)] = std::current_exception();
    }
  };
  if (count == 1) {
    workOn(0);
  } else {
    std::vector<std::jthread> workers;
    for (int i = 0; i < count; ++i)
      workers.emplace_back([&, i] { withThreads(threads, [&] { workOn(i); }); });
  }
  for (const auto& one : thrown)
    if (one) std::rethrow_exception(one);
}

DeviceQueue::DeviceQueue() {
  SULCUS_CUDA(cudaGetDevice(&device_));
  SULCUS_CUDA(cudaEventCreateWithFlags(&reached_, cudaEventDisableTiming));
}

DeviceQueues::DeviceQueues() { queues_.emplace_back(); }

DeviceQueues::DeviceQueues(const std::vector<int>& devices) {
  joinDevices(devices);
  for (const int device : devices) {
    const OnDevice there(device);
    queues_.emplace_back();
  }
}

void DeviceQueues::synchronizeAll() const {
  if (queues_.size() < 2) return;
  for (const DeviceQueue& queue : queues_) {
    const OnDevice there(queue.device());
    queue.mark();
  }
  for (const DeviceQueue& queue : queues_)
    for (const DeviceQueue& other : queues_)
      if (&other != &queue) queue.waitFor(other);
}

void DeviceQueues::synchronize() const {
  const WaitTimer waiting(WaitKind::work);
  for (const DeviceQueue& queue : queues_) queue.stream().synchronize();
}

}  // namespace sulcus::gpu
