#pragma once

#include "ui/scene/slices/lines_2d.h"

#include <string>

class vtkTextActor;

namespace sulcus::ui::scene {

/// A possible length of a scale bar, and its text: {50, "5 cm"}.
struct ScaleLength {
  double millimeters = 0;
  std::string text;
};
/// The longest of 1, 2, 5, 10, 20 … mm (and tenths of them) that takes at most this many pixels.
ScaleLength scaleLength(double millimetersPerPixel, double mostPixels);

/// A line at the lower right of a view, labeled with its length in the patient. Owned by a scene, UI thread.
class ScaleBar {
 public:
  /// `renderer` must outlive it.
  explicit ScaleBar(vtkRenderer* renderer);

  void hide();
  /// In a view of this width, in pixels, `above` pixels over its lower border.
  void layOut(int width, double above, double millimetersPerPixel);

 private:
  vtkRenderer* renderer_;
  Lines2d shadow_, line_;
  Shown<vtkTextActor> text_;
};

}  // namespace sulcus::ui::scene
