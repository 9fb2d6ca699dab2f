#pragma once

#include "gpu/runtime/device.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace sulcus::test {

/// In a SetUp(): without a GPU the test is skipped visibly, or fails when the environment says
/// SULCUS_REQUIRE_GPU=1.
inline void requireGpuOrSkip() {
  const DeviceReport report = gpu::deviceReport();
  if (report.devices.empty()) {
    const char* required = std::getenv("SULCUS_REQUIRE_GPU");
    if (required && std::string(required) == "1") FAIL() << "a GPU is required: " << report.reason;
    GTEST_SKIP() << report.reason;
  }
  gpu::requireDevice();
}

/// Base of test suites that need a GPU.
class NeedsGpu : public testing::Test {
 protected:
  void SetUp() override { requireGpuOrSkip(); }
};

}  // namespace sulcus::test
