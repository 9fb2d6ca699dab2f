#pragma once

#include <string>
#include <vector>

namespace sulcus {

/// A GPU as the window and `sulcus-cli devices` show it.
struct DeviceInfo {
  int index = 0;
  std::string name;
  double memoryBytes = 0, freeBytes = 0;
  std::string computeCapability;
  int multiprocessors = 0;
};

/// What is known about GPUs here. No devices is a fact, not an error: then `reason` says why.
struct DeviceReport {
  std::vector<DeviceInfo> devices;
  std::string reason;  ///< "built without CUDA", "no CUDA driver", …; "" when there are devices
  /// The newest CUDA that the driver knows, e.g. "12.8"; "" without a driver.
  std::string driver = {};
};

}  // namespace sulcus
