#include "ui/scene/slices/crosshair_mark.h"

#include "ui/scene/volume3d/poly_data.h"

#include <cmath>

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCamera.h>
#include <vtkMath.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkProperty2D.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {

CrosshairMark::CrosshairMark(vtkRenderer* renderer)
    : renderer_(renderer),
      lines_(linesOf(std::vector<Vec3<float>>(6))),
      seen_(renderer),
      hidden_(renderer, flatActorOf(lines_, true)) {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetInputData(lines_);
  seen_->SetMapper(mapper);
  seen_->GetProperty()->SetColor(0.35, 0.95, 0.45);
  seen_->GetProperty()->LightingOff();
  seen_->UseBoundsOff();  // must not affect the camera
  hidden_->GetProperty()->SetColor(0.35, 0.95, 0.45);
  hidden_->GetProperty()->SetOpacity(0.4);
  setVisible(false);
}

void CrosshairMark::setVisible(bool visible) {
  seen_->SetVisibility(visible);
  hidden_->SetVisibility(visible);
}

void CrosshairMark::layOut(const Vec3<double>& world) {
  if (!seen_->GetVisibility()) return;
  vtkRenderWindow* window = renderer_->GetRenderWindow();
  vtkCamera* camera = renderer_->GetActiveCamera();
  const double unit = pixelsPerPoint(renderer_);
  const double* eye = camera->GetPosition();
  const double distance = norm(world - Vec3<double>{eye[0], eye[1], eye[2]});
  const int* size = window->GetSize();
  const int side = std::max(1, camera->GetUseHorizontalViewAngle() ? size[0] : size[1]);
  const double perPixel =
      2 * distance * std::tan(vtkMath::RadiansFromDegrees(camera->GetViewAngle()) / 2) / side;
  for (int end = 0; end < 6; ++end) {
    Vec3<double> at = world;
    at[end / 2] += (end % 2 ? 11 : -11) * unit * perPixel;
    lines_->GetPoints()->SetPoint(end, at.x, at.y, at.z);
  }
  lines_->GetPoints()->Modified();
  lines_->Modified();
  seen_->Modified();
  hidden_->Modified();
  seen_->GetProperty()->SetLineWidth(float(2 * unit));
  hidden_->GetProperty()->SetLineWidth(float(unit));
}

}  // namespace sulcus::ui::scene
