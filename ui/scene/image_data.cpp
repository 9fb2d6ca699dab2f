#include "ui/scene/image_data.h"

#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkMatrix4x4.h>
#include <vtkPointData.h>

namespace sulcus::ui::scene {
namespace {

template <class Array, class T>
vtkSmartPointer<vtkImageData> look(VolumeView<const T> view) {
  auto array = vtkSmartPointer<Array>::New();
  // VTK has no read-only arrays; save = 1 keeps it from freeing the values, and nothing here writes to them.
  array->SetArray(const_cast<T*>(view.data), view.voxels(), 1);
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(view.size.x, view.size.y, view.size.z);
  image->GetPointData()->SetScalars(array);
  return image;
}

}  // namespace

vtkSmartPointer<vtkImageData> imageOf(const Series<float>& series, int volume) {
  return look<vtkFloatArray>(series.volume(volume));
}

vtkSmartPointer<vtkImageData> imageOf(const Volume<std::int32_t>& labels) {
  static_assert(sizeof(int) == sizeof(std::int32_t));
  return look<vtkIntArray>(labels.view());
}

vtkSmartPointer<vtkMatrix4x4> matrixOf(const Affine& affine) {
  auto matrix = vtkSmartPointer<vtkMatrix4x4>::New();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix->SetElement(i, j, affine.m[i][j]);
    matrix->SetElement(i, 3, affine.t[i]);
  }
  return matrix;
}

}  // namespace sulcus::ui::scene
