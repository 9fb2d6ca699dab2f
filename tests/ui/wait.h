#pragma once

namespace sulcus::ui {

inline constexpr int kWait = 20000;  ///< ms that a test waits for a signal; only a failure waits that long

}  // namespace sulcus::ui
