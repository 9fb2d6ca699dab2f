#pragma once

#include <cstdint>

namespace sulcus::bench {

/// Properties of a device; bytes and registers of each multiprocessor.
struct DeviceFacts {
  std::int64_t registers = 0, sharedBytes = 0, constantBytes = 0, l2Bytes = 0, multiprocessors = 0;
};

/// Throws Error if there is no GPU.
DeviceFacts deviceFacts();

}  // namespace sulcus::bench
