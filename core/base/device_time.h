#pragma once

namespace sulcus {

/// How long a run waited for its GPU, s.
struct DeviceTime {
  double waited = 0;  ///< for its kernels and for copies
  double copies = 0;  ///< the part of it spent on copies between device and host memory
};

}  // namespace sulcus
