#include "ui/scene/slices/lines_2d.h"

#include "ui/scene/volume3d/poly_data.h"

#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProperty2D.h>

namespace sulcus::ui::scene {

Lines2d::Lines2d(vtkRenderer* renderer, std::array<double, 3> color, double opacity)
    : data_(vtkSmartPointer<vtkPolyData>::New()), actor_(renderer, flatActorOf(data_)) {
  data_->SetPoints(vtkSmartPointer<vtkPoints>::New());
  actor_->GetProperty()->SetColor(color.data());
  actor_->GetProperty()->SetOpacity(opacity);
  actor_->SetVisibility(false);
}

void Lines2d::set(const std::vector<Line>& lines, double width) {
  actor_->SetVisibility(!lines.empty());
  if (lines.empty()) return;
  vtkPoints* points = data_->GetPoints();
  if (points->GetNumberOfPoints() != vtkIdType(2 * lines.size())) {
    points->SetNumberOfPoints(vtkIdType(2 * lines.size()));
    auto cells = vtkSmartPointer<vtkCellArray>::New();
    for (vtkIdType i = 0; i < vtkIdType(lines.size()); ++i) cells->InsertNextCell({2 * i, 2 * i + 1});
    data_->SetLines(cells);
  }
  for (vtkIdType i = 0; const Line& line : lines) {
    points->SetPoint(i++, line.x0, line.y0, 0);
    points->SetPoint(i++, line.x1, line.y1, 0);
  }
  points->Modified();
  data_->Modified();
  actor_->GetProperty()->SetLineWidth(float(width));
}

}  // namespace sulcus::ui::scene
