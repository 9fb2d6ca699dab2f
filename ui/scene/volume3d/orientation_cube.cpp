#include "ui/scene/volume3d/orientation_cube.h"

#include <algorithm>

#include <vtkAnnotatedCubeActor.h>
#include <vtkCamera.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {

OrientationCube::OrientationCube(vtkRenderWindow* window)
    : window_(window),
      renderer_(vtkSmartPointer<vtkRenderer>::New()),
      cube_(vtkSmartPointer<vtkAnnotatedCubeActor>::New()) {
  cube_->SetYPlusFaceText("A");
  cube_->SetYMinusFaceText("P");
  cube_->SetZPlusFaceText("S");
  cube_->SetZMinusFaceText("I");
  cube_->SetFaceTextScale(0.62);
  cube_->SetZFaceTextRotation(90);  // upright when anterior is up
  cube_->SetTextEdgesVisibility(false);
  cube_->GetCubeProperty()->SetColor(0.26, 0.29, 0.35);
  cube_->GetCubeProperty()->SetAmbient(0.4);
  struct Face {
    vtkProperty* property;
    double red, green, blue;
  };
  const Face faces[] = {
      {cube_->GetXPlusFaceProperty(), 0.95, 0.55, 0.55}, {cube_->GetXMinusFaceProperty(), 0.95, 0.55, 0.55},
      {cube_->GetYPlusFaceProperty(), 0.5, 0.85, 0.55},  {cube_->GetYMinusFaceProperty(), 0.5, 0.85, 0.55},
      {cube_->GetZPlusFaceProperty(), 0.5, 0.55, 1},     {cube_->GetZMinusFaceProperty(), 0.5, 0.55, 1}};
  for (const auto& [face, red, green, blue] : faces) {
    face->SetColor(red, green, blue);
    face->SetInterpolationToFlat();
    face->SetAmbient(1);
    face->SetDiffuse(0);
  }
  renderer_->SetLayer(1);
  renderer_->InteractiveOff();
  renderer_->AddViewProp(cube_);
}

OrientationCube::~OrientationCube() { window_->RemoveRenderer(renderer_); }

void OrientationCube::attach() {
  window_->SetNumberOfLayers(2);
  window_->AddRenderer(renderer_);
}

void OrientationCube::setSidesAssumed(bool assumed) {
  cube_->SetXPlusFaceText(assumed ? "R?" : "R");
  cube_->SetXMinusFaceText(assumed ? "L?" : "L");
}

void OrientationCube::layOut(const CameraPose& pose) {
  const int* size = window_->GetSize();
  const double edge = 56.0 * window_->GetDPI() / 72;
  renderer_->SetViewport(std::max(0.0, 1 - edge / std::max(1, size[0])), 0, 1,
                         std::min(1.0, edge / std::max(1, size[1])));
  const Vec3<double> eye = 4.6 * normalized(pose.position - pose.focus);
  vtkCamera* camera = renderer_->GetActiveCamera();
  camera->SetFocalPoint(0, 0, 0);
  camera->SetPosition(eye.x, eye.y, eye.z);
  camera->SetViewUp(pose.up.x, pose.up.y, pose.up.z);
  camera->SetClippingRange(1, 10);
}

}  // namespace sulcus::ui::scene
