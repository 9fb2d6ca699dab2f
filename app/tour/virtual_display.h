#pragma once

namespace sulcus::app::tour {

/// An invisible display for pictures on a machine without one: Xvfb, if it is installed, which ends when this
/// is destroyed. To be created before the application.
class VirtualDisplay {
 public:
  /// Starts it, and sets DISPLAY; no effect without Xvfb.
  VirtualDisplay();
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;

  /// Whether the environment names neither a display nor a platform.
  static bool isNeeded();

 private:
  int server_ = 0;
};

}  // namespace sulcus::app::tour
