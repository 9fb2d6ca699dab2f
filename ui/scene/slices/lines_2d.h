#pragma once

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
  ~Lines2d();
  Lines2d(const Lines2d&) = delete;
  Lines2d& operator=(const Lines2d&) = delete;

  struct Line {
    double x0, y0, x1, y1;
  };
  /// Draws these lines instead of the previous ones; an empty list hides them.
  void set(const std::vector<Line>& lines, double width);

 private:
  vtkRenderer* renderer_;
  vtkSmartPointer<vtkPolyData> data_;
  vtkSmartPointer<vtkActor2D> actor_;
};

}  // namespace sulcus::ui::scene
