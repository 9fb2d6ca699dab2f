#pragma once

#include "ui/scene/volume3d/camera_3d.h"

#include <vtkSmartPointer.h>

class vtkAnnotatedCubeActor;
class vtkRenderWindow;
class vtkRenderer;

namespace sulcus::ui::scene {

/// A cube in the lower right corner whose faces name the sides of the patient, in the colors of fiber
/// directions. Owned by a scene, UI thread.
class OrientationCube {
 public:
  /// `window` must outlive it.
  explicit OrientationCube(vtkRenderWindow* window);
  ~OrientationCube();
  OrientationCube(const OrientationCube&) = delete;
  OrientationCube& operator=(const OrientationCube&) = delete;

  /// Draws it over what the window has so far.
  void attach();
  /// Whether nothing says which side is left: then its letters have a question mark.
  void setSidesAssumed(bool assumed);
  /// Turns it as a camera sees the patient.
  void layOut(const CameraPose& pose);

 private:
  vtkRenderWindow* window_;
  vtkSmartPointer<vtkRenderer> renderer_;
  vtkSmartPointer<vtkAnnotatedCubeActor> cube_;
};

}  // namespace sulcus::ui::scene
