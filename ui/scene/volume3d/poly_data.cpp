#include "ui/scene/volume3d/poly_data.h"

#include <algorithm>
#include <numeric>

#include <vtkActor.h>
#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkCoordinate.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>

namespace sulcus::ui::scene {
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

vtkSmartPointer<vtkCellArray> cellsOf(vtkTypeInt32Array* corners, int cornersPerCell) {
  auto offsets = vtkSmartPointer<vtkTypeInt32Array>::New();
  const vtkIdType count = corners->GetNumberOfValues() / cornersPerCell;
  offsets->SetNumberOfValues(count + 1);
  for (vtkIdType i = 0; i <= count; ++i) offsets->SetValue(i, vtkTypeInt32(i * cornersPerCell));
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, corners);
  return cells;
}

vtkSmartPointer<vtkCellArray> cellsOf(const std::vector<std::int32_t>& corners, int cornersPerCell) {
  return cellsOf(arrayOf<vtkTypeInt32Array>(corners, 1), cornersPerCell);
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
  std::vector<Vec3<float>> sums(mesh.points.size());
  auto corners = vtkSmartPointer<vtkTypeInt32Array>::New();
  corners->SetNumberOfValues(vtkIdType(3 * mesh.triangles.size()));
  std::int32_t* nextCorner = corners->GetPointer(0);
  for (const auto& triangle : mesh.triangles) {
    const auto at = [&](std::size_t c) { return mesh.points[std::size_t(triangle[c])]; };
    const Vec3<float> area = cross(at(1) - at(0), at(2) - at(0));
    for (const std::int32_t corner : triangle) {
      *nextCorner++ = corner;
      sums[std::size_t(corner)] = sums[std::size_t(corner)] + area;
    }
  }
  const auto vectors = [&] {
    auto array = vtkSmartPointer<vtkFloatArray>::New();
    array->SetNumberOfComponents(3);
    array->SetNumberOfTuples(vtkIdType(mesh.points.size()));
    return array;
  };
  const auto coordinates = vectors(), normals = vectors();
  float *point = coordinates->GetPointer(0), *normal = normals->GetPointer(0);
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const float length = norm(sums[i]), scale = length > 0 ? 1 / length : 0;
    for (int c = 0; c < 3; ++c) {
      *point++ = mesh.points[i][c];
      *normal++ = scale * sums[i][c];
    }
  }
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetData(coordinates);
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetPolys(cellsOf(corners, 3));
  data->GetPointData()->SetNormals(normals);
  for (const auto& [name, values] : mesh.pointScalars) {
    const auto array = arrayOf<vtkFloatArray>(values, 1);
    array->SetName(name.c_str());
    data->GetPointData()->AddArray(array);
  }
  return data;
}

vtkSmartPointer<vtkPolyData> linesOf(const std::vector<Vec3<float>>& segments) {
  std::vector<float> coordinates;
  coordinates.reserve(3 * segments.size());
  for (const auto& point : segments) coordinates.insert(coordinates.end(), {point.x, point.y, point.z});
  std::vector<std::int32_t> ends(segments.size());
  std::iota(ends.begin(), ends.end(), 0);
  auto data = withPoints(coordinates);
  data->SetLines(cellsOf(ends, 2));
  return data;
}

vtkSmartPointer<vtkActor> coloredActor() {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetColorModeToDirectScalars();
  mapper->SetInputData(vtkSmartPointer<vtkPolyData>::New());
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->PickableOff();
  return actor;
}

vtkSmartPointer<vtkActor2D> flatActorOf(vtkPolyData* data, bool inWorld) {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper2D>::New();
  mapper->SetInputData(data);
  if (inWorld) {
    auto place = vtkSmartPointer<vtkCoordinate>::New();
    place->SetCoordinateSystemToWorld();
    mapper->SetTransformCoordinate(place);
  }
  auto actor = vtkSmartPointer<vtkActor2D>::New();
  actor->SetMapper(mapper);
  return actor;
}

void showData(vtkActor* actor, vtkPolyData* data) {
  static_cast<vtkPolyDataMapper*>(actor->GetMapper())->SetInputData(data);
  actor->SetVisibility(data->GetNumberOfPoints() > 0);
}

}  // namespace sulcus::ui::scene
