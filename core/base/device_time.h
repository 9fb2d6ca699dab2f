#pragma once

namespace sulcus {

/// How long a run waited for its GPU, s.
struct DeviceTime {
  double waited = 0;  ///< for its work and for copies
  double copies = 0;  ///< of it, for copies between its memory and the host's
};

}  // namespace sulcus
