#include "ui/scene/poly_data.h"

#include <algorithm>

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>

namespace sulcus::ui {
namespace {

template <class Array, class T>
vtkSmartPointer<Array> arrayOf(const std::vector<T>& values, int components) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(vtkIdType(values.size()) / components);
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  return array;
}

vtkSmartPointer<vtkPolyData> withPoints(const std::vector<float>& coordinates) {
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetData(arrayOf<vtkFloatArray>(coordinates, 3));
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  return data;
}

vtkSmartPointer<vtkCellArray> cellsOf(const std::vector<std::int32_t>& corners, int cornersPerCell) {
  auto offsets = vtkSmartPointer<vtkTypeInt32Array>::New();
  const vtkIdType count = vtkIdType(corners.size()) / cornersPerCell;
  offsets->SetNumberOfValues(count + 1);
  for (vtkIdType i = 0; i <= count; ++i) offsets->SetValue(i, vtkTypeInt32(i * cornersPerCell));
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, arrayOf<vtkTypeInt32Array>(corners, 1));
  return cells;
}

void setColors(vtkPolyData* data, const std::vector<std::uint8_t>& colors) {
  data->GetPointData()->SetScalars(arrayOf<vtkUnsignedCharArray>(colors, 3));
}

}  // namespace

vtkSmartPointer<vtkPolyData> polyDataOf(const Sticks& sticks) {
  auto data = withPoints(sticks.points);
  std::vector<std::int32_t> ends(std::size_t(2 * sticks.count()));
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = std::int32_t(i);
  data->SetLines(cellsOf(ends, 2));
  setColors(data, sticks.colors);
  return data;
}

vtkSmartPointer<vtkPolyData> polyDataOf(const Surfaces& surfaces) {
  auto data = withPoints(surfaces.points);
  data->SetPolys(cellsOf(surfaces.triangles, 3));
  data->GetPointData()->SetNormals(arrayOf<vtkFloatArray>(surfaces.normals, 3));
  setColors(data, surfaces.colors);
  return data;
}

vtkSmartPointer<vtkPolyData> polyDataOf(const Mesh& mesh) {
  std::vector<float> points, normals;
  std::vector<std::int32_t> corners;
  std::vector<Vec3<float>> sums(mesh.points.size());
  for (const auto& triangle : mesh.triangles) {
    const auto at = [&](int c) { return mesh.points[std::size_t(triangle[std::size_t(c)])]; };
    const Vec3<float> area = cross(at(1) - at(0), at(2) - at(0));
    for (const std::int32_t corner : triangle) {
      corners.push_back(corner);
      sums[std::size_t(corner)] = sums[std::size_t(corner)] + area;
    }
  }
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const float length = norm(sums[i]);
    for (int c = 0; c < 3; ++c) {
      points.push_back(mesh.points[i][c]);
      normals.push_back(length > 0 ? sums[i][c] / length : 0);
    }
  }
  auto data = withPoints(points);
  data->SetPolys(cellsOf(corners, 3));
  data->GetPointData()->SetNormals(arrayOf<vtkFloatArray>(normals, 3));
  if (!mesh.pointScalars.empty())
    data->GetPointData()->SetScalars(arrayOf<vtkFloatArray>(mesh.pointScalars.begin()->second, 1));
  return data;
}

}  // namespace sulcus::ui
