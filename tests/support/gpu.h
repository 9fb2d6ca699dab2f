#pragma once

#include "gpu/runtime/device.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace sulcus::test {

/// Base of test suites that need a GPU: without one their tests are skipped visibly, or fail when the
/// environment says SULCUS_REQUIRE_GPU=1.
class NeedsGpu : public testing::Test {
 protected:
  void SetUp() override {
    const DeviceReport report = gpu::deviceReport();
    if (report.devices.empty()) {
      const char* required = std::getenv("SULCUS_REQUIRE_GPU");
      if (required && std::string(required) == "1") FAIL() << "a GPU is required: " << report.reason;
      GTEST_SKIP() << report.reason;
    }
    gpu::requireDevice();
  }
};

}  // namespace sulcus::test
