#pragma once

#include "gpu/runtime/device.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::test {

/// For SetUp(): without a GPU the test is skipped visibly, or fails if SULCUS_REQUIRE_GPU=1 is set.
inline void requireGpuOrSkip() {
  const DeviceReport report = gpu::deviceReport();
  if (report.devices.empty()) {
    const char* required = std::getenv("SULCUS_REQUIRE_GPU");
    if (required && std::string(required) == "1") FAIL() << "a GPU is required: " << report.reason;
    GTEST_SKIP() << report.reason;
  }
  gpu::requireDevice();
}

/// Devices that share a run: one GPU twice, and two GPUs if there are two.
inline std::vector<std::vector<int>> sharingDevices() {
  std::vector<std::vector<int>> all{{0, 0}};
  if (gpu::listDevices().devices.size() > 1) all.push_back({0, 1});
  return all;
}

/// While this exists, GPU runs are shared among these devices.
class OnDevices {
 public:
  explicit OnDevices(const std::vector<int>& devices) { gpu::useDevices(devices); }
  ~OnDevices() { gpu::useDevices({0}); }
  OnDevices(const OnDevices&) = delete;
  OnDevices& operator=(const OnDevices&) = delete;
};

/// Base of test suites that need a GPU.
class NeedsGpu : public testing::Test {
 protected:
  void SetUp() override { requireGpuOrSkip(); }
};

}  // namespace sulcus::test
