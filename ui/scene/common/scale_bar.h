#pragma once

#include "ui/scene/slices/lines_2d.h"

#include <string>

class vtkTextActor;

namespace sulcus::ui::scene {

/// A length that a scale bar can have, and its words: {50, "5 cm"}.
struct ScaleLength {
  double millimetres = 0;
  std::string text;
};
/// The longest of 1, 2, 5, 10, 20 … mm (and tenths of them) that takes at most so many pixels.
ScaleLength scaleLength(double millimetresPerPixel, double mostPixels);

/// A line at the lower right of a view that says how long it is in the patient. Owned by a scene, UI thread.
class ScaleBar {
 public:
  /// `renderer` must outlive it.
  explicit ScaleBar(vtkRenderer* renderer);
  ~ScaleBar();
  ScaleBar(const ScaleBar&) = delete;
  ScaleBar& operator=(const ScaleBar&) = delete;

  void hide();
  /// In a view of this width, in pixels, `above` so many of its lower border.
  void layOut(int width, double above, double millimetresPerPixel);

 private:
  vtkRenderer* renderer_;
  Lines2d shadow_, line_;
  vtkSmartPointer<vtkTextActor> text_;
};

}  // namespace sulcus::ui::scene
