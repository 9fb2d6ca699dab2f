#pragma once

#include "core/base/device_report.h"

#include <cstdint>
#include <string>
#include <vector>

// Which GPU, and what it has. Compiles without the CUDA toolkit; gpu/runtime/no_cuda.cpp answers where Sulcus
// was built without.

namespace sulcus::gpu {

/// The GPUs of this machine. None is a fact, not an error: then the report's reason says why. Starts each of
/// them, as its free memory is not known before.
DeviceReport deviceReport();
/// Lists the GPUs without their free memory, which starts none of them.
DeviceReport listDevices();

/// Chooses the devices of all later GPU runs of this process, by their numbers, at least one: what a run
/// shares out is done by all of them (devices.h), the rest by the first. One that is named twice takes two
/// shares. Throws Error, unavailable when there is none of a number, usage when one is named thrice.
void useDevices(const std::vector<int>& numbers);
/// The numbers of the chosen devices: {0} unless useDevices() was called.
std::vector<int> chosenDevices();

/// Makes the first of the chosen devices the calling thread's. Every driver starts with it. Throws Error
/// (unavailable) with the reason where there is none.
void requireDevice();

/// Makes the chosen devices ready to work, which takes some tenths of a second the first time in a process;
/// false where one cannot be.
bool startDevices();
/// Whether that is under way on some thread: what the processor can do as well it may do meanwhile.
bool devicesAreStarting();

/// Names of the chosen devices, as in "NVIDIA H200 + NVIDIA H200". Throws Error (unavailable) where one does
/// not answer.
std::string deviceNames();

/// The calling thread's device at the beginning of a sentence: with its number where several are chosen.
std::string theDevice();

/// Multiprocessors of the calling thread's device; throws CudaError where there is none.
int multiprocessors();

/// Bytes of shared memory that one block may use on the calling thread's device where its kernel asks for
/// them; throws CudaError where there is none.
int sharedBytesPerBlock();

/// Bytes that can still be allocated on the calling thread's device; 0 where there is none. Throws CudaError
/// where it does not answer.
std::int64_t freeMemory();

/// Bytes of memory of the chosen device; 0 where there is none. Does not wait for it to start.
std::int64_t totalMemory();

/// Throws Error (unavailable) with both figures when `bytes` for `what` exceed freeMemory().
void requireMemory(std::int64_t bytes, const std::string& what);
/// Compares with totalMemory(), before work that the device is not yet needed for; throws as requireDevice()
/// does where there is none.
void requireTotalMemory(std::int64_t bytes, const std::string& what);

}  // namespace sulcus::gpu
