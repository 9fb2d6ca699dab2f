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

/// The GPUs of this machine. Finding none is not an error: `reason` then says why.
struct DeviceReport {
  std::vector<DeviceInfo> devices;
  std::string reason;  ///< "built without CUDA", "no CUDA driver", …; "" when there are devices
  /// The newest CUDA version that the driver supports, e.g. "12.8"; "" without a driver.
  std::string driver = {};
};

}  // namespace sulcus
