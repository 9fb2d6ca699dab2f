#pragma once

#include "core/math/vec3.h"
#include "ui/scene/common/shown.h"

class vtkActor;
class vtkActor2D;
class vtkPolyData;
class vtkRenderer;

namespace sulcus::ui::scene {

/// The crosshair position among surfaces in 3D: a short line along each axis, bright where it is visible,
/// faint where something is in front of it. Owned by a scene, UI thread.
class CrosshairMark {
 public:
  /// `renderer` must outlive it.
  explicit CrosshairMark(vtkRenderer* renderer);

  void setVisible(bool visible);
  /// Keeps its size on screen constant for the current camera distance.
  void layOut(const Vec3<double>& world);

 private:
  vtkRenderer* renderer_;
  vtkSmartPointer<vtkPolyData> lines_;
  Shown<vtkActor> seen_;
  Shown<vtkActor2D> hidden_;
};

}  // namespace sulcus::ui::scene
