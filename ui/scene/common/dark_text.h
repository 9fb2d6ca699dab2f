#pragma once

#include <functional>
#include <vector>

class vtkRenderWindow;

namespace sulcus::ui::scene {

/// While it exists, the texts of a window are dark on light boxes, which are readable on white and on a scan.
class DarkText {
 public:
  /// `window` must outlive it.
  explicit DarkText(vtkRenderWindow* window);
  ~DarkText();
  DarkText(const DarkText&) = delete;
  DarkText& operator=(const DarkText&) = delete;

 private:
  std::vector<std::function<void()>> undo_;
};

}  // namespace sulcus::ui::scene
