#pragma once

#include "core/base/device_report.h"

#include <cstdint>
#include <string>

// Which GPU, and what it has. Compiles without the CUDA toolkit; gpu/runtime/none.cpp answers where Sulcus
// was built without.

namespace sulcus::gpu {

/// The GPUs of this machine. None is a fact, not an error: then the report's reason says why. Starts each of
/// them, as its free memory is not known before.
DeviceReport deviceReport();
/// The same without free memory: starts none.
DeviceReport listDevices();

/// Chooses the device of all later GPU runs of this process; throws Error (unavailable) when there is no
/// `index`.
void useDevice(int index);

/// Makes the chosen device (the first one, unless useDevice was called) the calling thread's. Every driver
/// starts with it. Throws Error (unavailable) with the reason where there is none.
void requireDevice();

/// Makes the chosen device ready to work, which takes some tenths of a second the first time in a process;
/// false where it cannot be.
bool startDevice();

/// Name of the chosen device; "" where there is none.
std::string deviceName();

/// Multiprocessors of the calling thread's device; throws CudaError where there is none.
int multiprocessors();

/// Bytes of shared memory that one block may use on the calling thread's device where its kernel asks for
/// them; throws CudaError where there is none.
int sharedBytesPerBlock();

/// Bytes that can still be allocated on the calling thread's device; 0 where there is none.
std::int64_t freeMemory();

/// Bytes of memory of the chosen device; 0 where there is none. Does not wait for it to start.
std::int64_t totalMemory();

/// Throws Error (unavailable) with both figures when `bytes` for `what` exceed freeMemory().
void requireMemory(std::int64_t bytes, const std::string& what);
/// The same of totalMemory(), before work that the device is not yet needed for; throws as requireDevice()
/// does where there is none.
void requireTotalMemory(std::int64_t bytes, const std::string& what);

}  // namespace sulcus::gpu
