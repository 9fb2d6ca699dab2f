#include "gpu/runtime/device.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "gpu/runtime/check.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>

namespace sulcus::gpu {
namespace {

/// The choice made by useDevices(), which runs on other threads read.
struct Choice {
  std::mutex mutex;
  std::vector<int> devices{0};
};
Choice& choice() {
  static Choice chosen;
  return chosen;
}

/// The memory of each device, bytes. Queried once, since a query would block while a device is being
/// initialized.
std::map<int, std::int64_t>& memoryOfDevices() {
  static std::map<int, std::int64_t> memory;
  return memory;
}
std::mutex memoryMutex;  // guards memoryOfDevices()

std::atomic<int> startsUnderWay = 0;

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// Number of devices, or the reason why there is none.
int countDevices(std::string& reason) {
  int count = 0, driver = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  cudaDriverGetVersion(&driver);
  if (driver == 0)
    reason = "no CUDA driver";
  else if (code == cudaErrorInsufficientDriver)
    reason =
        "driver too old: it knows CUDA " + version(driver) + ", Sulcus needs CUDA " + version(CUDART_VERSION);
  else if (code == cudaErrorNoDevice || code == cudaSuccess)
    reason = "no CUDA device";
  else
    reason = std::string("CUDA does not start: ") + cudaGetErrorString(code);
  return 0;
}

Error noDevice(const std::string& reason) {
  return {"There is no GPU to run on", reason, "run on the CPU", ErrorKind::unavailable};
}

/// An attribute of the calling thread's device.
int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  SULCUS_CUDA(cudaGetDevice(&device));
  SULCUS_CUDA(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

/// Lets a device keep memory that buffers release for reuse, as large_memory.cpp does on the host: otherwise
/// it returns to the driver at each synchronization and is allocated again page by page.
void keepFreedMemory(int device) {
  std::uint64_t kept = std::uint64_t(1) << 30;
  cudaMemPool_t pool{};
  SULCUS_CUDA(cudaDeviceGetDefaultMemPool(&pool, device));
  SULCUS_CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
}

}  // namespace

CudaError::CudaError(cudaError_t error, const char* call, const char* file, int line)
    : Error("The GPU failed",
            text(cudaGetErrorString(error), ", ", cudaGetErrorName(error), ", of ", call, " at ",
                 std::filesystem::path(file).filename().string(), ":", line),
            "run again, or on the CPU, and report it if it happens again", ErrorKind::unavailable) {}

DeviceReport listDevices() {
  DeviceReport report;
  const int count = countDevices(report.reason);
  int driver = 0;
  if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) report.driver = version(driver);
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) {
      cudaGetLastError();
      continue;
    }
    DeviceInfo info;
    info.index = i;
    info.name = properties.name;
    info.memoryBytes = double(properties.totalGlobalMem);
    {
      const std::lock_guard lock(memoryMutex);
      memoryOfDevices()[i] = std::int64_t(properties.totalGlobalMem);
    }
    info.computeCapability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    info.multiprocessors = properties.multiProcessorCount;
    report.devices.push_back(std::move(info));
  }
  if (count > 0 && report.devices.empty()) report.reason = "no CUDA device answers";
  return report;
}

DeviceReport deviceReport() {
  DeviceReport report = listDevices();
  int before = 0;
  if (!report.devices.empty()) cudaGetDevice(&before);
  for (DeviceInfo& info : report.devices) try {
      SULCUS_CUDA(cudaSetDevice(info.index));
      info.freeBytes = double(freeMemory());
    } catch (const CudaError&) {  // it exists, but its free memory is unknown
    }
  if (!report.devices.empty()) cudaSetDevice(before);
  return report;
}

void useDevices(const std::vector<int>& numbers) {
  std::string reason;
  const int count = countDevices(reason);
  if (count == 0) throw noDevice(reason);
  for (const int number : numbers) {
    if (number < 0 || number >= count)
      throw Error(text("There is no GPU number ", number), text("this machine has ", count),
                  text("choose 0 to ", count - 1), ErrorKind::unavailable);
    if (std::count(numbers.begin(), numbers.end(), number) > 2)
      throw Error(text("GPU ", number, " is listed more than twice"), "that makes it no faster",
                  "name each GPU once", ErrorKind::usage);
  }
  {
    const std::scoped_lock lock(choice().mutex);
    choice().devices = numbers;
  }
  requireDevice();
}

std::vector<int> chosenDevices() {
  const std::scoped_lock lock(choice().mutex);
  return choice().devices;
}

void requireDevice() {
  std::string reason;
  if (countDevices(reason) == 0) throw noDevice(reason);
  const int device = chosenDevices().front();
  SULCUS_CUDA(cudaSetDevice(device));
  keepFreedMemory(device);
}

bool startDevices() {
  ++startsUnderWay;
  bool started = true;
  const std::vector<int> devices = chosenDevices();
  for (auto device = devices.rbegin(); device != devices.rend(); ++device)  // ends with the first as the
                                                                            // current one
    started = cudaSetDevice(*device) == cudaSuccess && cudaFree(nullptr) == cudaSuccess && started;
  if (!started) cudaGetLastError();
  --startsUnderWay;
  return started;
}

bool devicesAreStarting() { return startsUnderWay > 0; }

std::string deviceNames() {
  std::string names;
  for (const int device : chosenDevices()) {
    cudaDeviceProp properties{};
    SULCUS_CUDA(cudaGetDeviceProperties(&properties, device));
    names += (names.empty() ? "" : " + ") + std::string(properties.name);
  }
  return names;
}

std::string theDevice() {
  int device = 0;
  if (chosenDevices().size() > 1 && cudaGetDevice(&device) == cudaSuccess) return text("GPU ", device);
  return "The GPU";
}

std::int64_t totalMemory() {
  const auto known = [device = chosenDevices().front()] {
    const std::lock_guard lock(memoryMutex);
    const auto found = memoryOfDevices().find(device);
    return found == memoryOfDevices().end() ? std::int64_t(0) : found->second;
  };
  if (known() == 0) listDevices();
  return known();
}

int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

int sharedBytesPerBlock() { return attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin); }

std::int64_t freeMemory() {
  std::size_t available = 0, total = 0;
  const cudaError_t asked = cudaMemGetInfo(&available, &total);
  if (asked == cudaErrorNoDevice || asked == cudaErrorInsufficientDriver) {
    cudaGetLastError();
    return 0;
  }
  SULCUS_CUDA(asked);
  // Memory that the allocation pool holds but does not use is available, too.
  int device = 0;
  cudaMemPool_t pool{};
  std::uint64_t reserved = 0, used = 0;
  if (cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved) == cudaSuccess &&
      cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess)
    available += reserved - used;
  cudaGetLastError();
  return std::int64_t(available);
}

}  // namespace sulcus::gpu
