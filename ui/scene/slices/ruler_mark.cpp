#include "ui/scene/slices/ruler_mark.h"

#include "ui/scene/common/text_font.h"
#include "ui/scene/volume3d/poly_data.h"

#include <vector>

#include <vtkActor2D.h>
#include <vtkCoordinate.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {

RulerMark::RulerMark(vtkRenderer* renderer)
    : line_(linesOf(std::vector<Vec3<float>>(2))),
      actor_(vtkSmartPointer<vtkActor2D>::New()),
      text_(vtkSmartPointer<vtkTextActor>::New()) {
  auto place = vtkSmartPointer<vtkCoordinate>::New();
  place->SetCoordinateSystemToWorld();
  auto mapper = vtkSmartPointer<vtkPolyDataMapper2D>::New();
  mapper->SetTransformCoordinate(place);
  mapper->SetInputData(line_);
  actor_->SetMapper(mapper);
  actor_->GetProperty()->SetColor(1, 0.8, 0.2);
  actor_->GetProperty()->SetLineWidth(2);
  text_->GetPositionCoordinate()->SetCoordinateSystemToWorld();
  vtkTextProperty* style = text_->GetTextProperty();
  setFont(style, 14, true);
  style->SetColor(1, 0.85, 0.35);
  style->SetBackgroundColor(0, 0, 0);
  style->SetBackgroundOpacity(0.55);
  style->SetJustificationToCentered();
  style->SetVerticalJustificationToCentered();
  renderer->AddActor2D(actor_);
  renderer->AddActor2D(text_);
  hide();
}

void RulerMark::show(const Vec3<double>& from, const Vec3<double>& to, const std::string& text) {
  line_->GetPoints()->SetPoint(0, from.x, from.y, from.z);
  line_->GetPoints()->SetPoint(1, to.x, to.y, to.z);
  line_->GetPoints()->Modified();
  line_->Modified();
  const Vec3<double> middle = 0.5 * (from + to);
  text_->GetPositionCoordinate()->SetValue(middle.x, middle.y, middle.z);
  text_->SetInput(text.c_str());
  actor_->SetVisibility(true);
  text_->SetVisibility(true);
}

void RulerMark::hide() {
  actor_->SetVisibility(false);
  text_->SetVisibility(false);
}

}  // namespace sulcus::ui::scene
