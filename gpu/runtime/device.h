#pragma once

#include "core/base/device_report.h"

#include <cstdint>
#include <string>
#include <vector>

// The GPUs and their properties. Compiles without the CUDA toolkit; gpu/runtime/no_cuda.cpp implements it in
// builds without CUDA.

namespace sulcus::gpu {

/// The GPUs of this machine. Having none is not an error: the report's reason then says why. Initializes each
/// of them, as its free memory is not known before.
DeviceReport deviceReport();
/// Lists the GPUs without their free memory and without initializing any.
DeviceReport listDevices();

/// Chooses the devices for all later GPU runs of this process, by number, at least one: work that can be
/// shared is done by all of them (devices.h), the rest by the first. A device that is named twice gets two
/// shares. Throws Error: unavailable for a number without a device, usage for one named three times.
void useDevices(const std::vector<int>& numbers);
/// The numbers of the chosen devices: {0} unless useDevices() was called.
std::vector<int> chosenDevices();

/// Makes the first of the chosen devices the calling thread's current one. Every driver begins with this.
/// Throws Error (unavailable) with the reason if there is none.
void requireDevice();

/// Initializes the chosen devices, which takes some tenths of a second the first time in a process; false if
/// one cannot be initialized.
bool startDevices();
/// Whether startDevices() is running on some thread: meanwhile the CPU may do work that it can do as well.
bool devicesAreStarting();

/// Names of the chosen devices, as in "NVIDIA H200 + NVIDIA H200". Throws Error (unavailable) if one does not
/// respond.
std::string deviceNames();

/// The calling thread's device as the subject of a sentence: with its number if several are chosen.
std::string theDevice();

/// Multiprocessors of the calling thread's device; throws CudaError if there is none.
int multiprocessors();

/// Bytes of shared memory that one block may use on the calling thread's device if its kernel opts in; throws
/// CudaError if there is none.
int sharedBytesPerBlock();

/// Bytes that can still be allocated on the calling thread's device; 0 if there is none. Throws CudaError if
/// it does not respond.
std::int64_t freeMemory();

/// Bytes of memory of the chosen device; 0 if there is none. Does not wait for its initialization.
std::int64_t totalMemory();

/// Throws Error (unavailable) with both figures if `bytes` for `what` exceed freeMemory().
void requireMemory(std::int64_t bytes, const std::string& what);
/// Compares with totalMemory(), before work that does not need the device yet; throws as requireDevice() does
/// if there is none.
void requireTotalMemory(std::int64_t bytes, const std::string& what);

}  // namespace sulcus::gpu
