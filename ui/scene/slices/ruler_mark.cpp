#include "ui/scene/slices/ruler_mark.h"

#include "ui/scene/common/text_font.h"
#include "ui/scene/volume3d/poly_data.h"

#include <vector>

#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkCoordinate.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkProperty2D.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {
namespace {
constexpr float kEndMark = 7;  ///< pixels
}

RulerMark::RulerMark(vtkRenderer* renderer)
    : line_(linesOf(std::vector<Vec3<float>>(2))),
      actor_(flatActorOf(line_, true)),
      text_(vtkSmartPointer<vtkTextActor>::New()) {
  actor_->GetProperty()->SetColor(1, 0.8, 0.2);
  actor_->GetProperty()->SetLineWidth(2);
  actor_->GetProperty()->SetPointSize(kEndMark);
  vtkNew<vtkCellArray> ends;
  for (vtkIdType end = 0; end < 2; ++end) ends->InsertNextCell(1, &end);
  line_->SetVerts(ends);
  text_->GetPositionCoordinate()->SetCoordinateSystemToWorld();
  vtkTextProperty* style = text_->GetTextProperty();
  setFont(style, 14, true);
  style->SetColor(1, 0.85, 0.35);
  style->SetJustificationToLeft();
  style->SetVerticalJustificationToBottom();
  renderer->AddViewProp(actor_);
  renderer->AddViewProp(text_);
  hide();
}

void RulerMark::show(const Vec3<double>& from, const Vec3<double>& to, const std::string& text) {
  line_->GetPoints()->SetPoint(0, from.x, from.y, from.z);
  line_->GetPoints()->SetPoint(1, to.x, to.y, to.z);
  line_->GetPoints()->Modified();
  line_->Modified();
  // Next to the end that is being moved, away from the line and the crosshair there.
  text_->GetPositionCoordinate()->SetValue(to.x, to.y, to.z);
  text_->SetInput(("   " + text + "\n ").c_str());
  actor_->SetVisibility(true);
  text_->SetVisibility(true);
}

void RulerMark::hide() {
  actor_->SetVisibility(false);
  text_->SetVisibility(false);
}

}  // namespace sulcus::ui::scene
