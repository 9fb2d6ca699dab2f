#include "ui/scene/common/vtk_matrix.h"

#include <vtkMatrix4x4.h>

namespace sulcus::ui::scene {

vtkSmartPointer<vtkMatrix4x4> matrixOf(const Affine& affine) {
  auto matrix = vtkSmartPointer<vtkMatrix4x4>::New();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix->SetElement(i, j, affine.m[i][j]);
    matrix->SetElement(i, 3, affine.t[i]);
  }
  return matrix;
}

}  // namespace sulcus::ui::scene
