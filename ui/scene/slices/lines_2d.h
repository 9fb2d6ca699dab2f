#pragma once

#include "ui/scene/common/shown.h"

#include <array>
#include <vector>

#include <vtkSmartPointer.h>

class vtkActor2D;
class vtkPolyData;
class vtkRenderer;

namespace sulcus::ui::scene {

/// Straight lines over a view, in pixels from its lower left corner. Owned by a scene, UI thread.
class Lines2d {
 public:
  /// `renderer` must outlive it. Colors 0…1.
  Lines2d(vtkRenderer* renderer, std::array<double, 3> color, double opacity);

  struct Line {
    double x0, y0, x1, y1;
  };
  /// Draws these lines instead of the previous ones; an empty list hides them.
  void set(const std::vector<Line>& lines, double width);

 private:
  vtkSmartPointer<vtkPolyData> data_;
  Shown<vtkActor2D> actor_;
};

}  // namespace sulcus::ui::scene
