#pragma once

#include "core/math/vec3.h"
#include "ui/scene/common/shown.h"

#include <string>

#include <vtkSmartPointer.h>

class vtkActor2D;
class vtkPolyData;
class vtkRenderer;
class vtkTextActor;

namespace sulcus::ui::scene {

/// A line between two points with its length next to it, drawn on top of everything. Owned by a scene, UI
/// thread.
class RulerMark {
 public:
  /// `renderer` must outlive it.
  explicit RulerMark(vtkRenderer* renderer);

  /// Points in mm, RAS+.
  void show(const Vec3<double>& from, const Vec3<double>& to, const std::string& text);
  void hide();

 private:
  vtkSmartPointer<vtkPolyData> line_;
  Shown<vtkActor2D> actor_;
  Shown<vtkTextActor> text_;
};

}  // namespace sulcus::ui::scene
