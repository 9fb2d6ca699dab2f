#pragma once

#include "core/math/vec3.h"

#include <string>

#include <vtkSmartPointer.h>

class vtkActor2D;
class vtkPolyData;
class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

/// A line between two points with its length next to it, drawn on top of everything. It may outlive the
/// renderer, which keeps what is drawn.
class RulerMark {
 public:
  explicit RulerMark(vtkRenderer* renderer);

  /// Points in mm, RAS+.
  void show(const Vec3<double>& from, const Vec3<double>& to, const std::string& text);
  void hide();

 private:
  vtkSmartPointer<vtkPolyData> line_;
  vtkSmartPointer<vtkActor2D> actor_;
  vtkSmartPointer<vtkTextActor> text_;
};

}  // namespace sulcus::ui::scene
