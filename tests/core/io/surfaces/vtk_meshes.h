#pragma once

#include "core/image/mesh.h"

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

namespace sulcus::test {

/// Points and triangles for VTK, the reference of these tests.
inline vtkNew<vtkPolyData> polyDataOf(const Mesh& mesh) {
  vtkNew<vtkPolyData> poly;
  vtkNew<vtkPoints> points;
  for (const auto& p : mesh.points) points->InsertNextPoint(p.x, p.y, p.z);
  vtkNew<vtkCellArray> cells;
  for (const auto& t : mesh.triangles) {
    const vtkIdType corners[] = {t[0], t[1], t[2]};
    cells->InsertNextCell(3, corners);
  }
  poly->SetPoints(points);
  poly->SetPolys(cells);
  return poly;
}

}  // namespace sulcus::test
