#include "core/toolkits/contour.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObject.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

namespace sulcus::toolkits {
namespace {

/// The smallest |φ| of a voxel relative to the largest. It keeps triangles from shrinking to a point.
constexpr float kSmallestShare = 1e-6f;

}  // namespace

Mesh contourOf(const Volume<float>& phi, const Progress& progress) {
  const Grid& grid = phi.grid;
  Mesh mesh;
  if (grid.voxels() == 0) return mesh;
  const Vec3<int> size{grid.size.x + 2, grid.size.y + 2, grid.size.z + 2};
  float largest = 0;
  for (const float value : phi.values) largest = std::max(largest, std::abs(value));
  const float smallest = std::max(kSmallestShare * largest, std::numeric_limits<float>::min());

  vtkObject::GlobalWarningDisplayOff();  // errors are reported by our own messages

  vtkNew<vtkFloatArray> values;
  values->SetNumberOfTuples(vtkIdType(size.x) * size.y * size.z);
  parallelFor(std::int64_t(size.y) * size.z, 64, progress.part(0, 0.3, "Contour"), [&](std::int64_t row) {
    const int y = int(row % size.y) - 1, z = int(row / size.y) - 1;
    const int j = std::clamp(y, 0, grid.size.y - 1), k = std::clamp(z, 0, grid.size.z - 1);
    float* out = values->GetPointer(row * size.x);
    for (int x = -1; x <= grid.size.x; ++x) {
      const int i = std::clamp(x, 0, grid.size.x - 1);
      const float value = phi(i, j, k), magnitude = std::max(std::abs(value), smallest);
      // Beyond the grid, a voxel next to the inside has the value of opposite sign, so that 0 lies
      // half-way.
      *out++ = grid.contains(x, y, z) && value < 0 ? -magnitude : magnitude;
    }
  });
  vtkNew<vtkImageData> image;
  image->SetDimensions(size.x, size.y, size.z);
  image->SetOrigin(-1, -1, -1);
  image->GetPointData()->SetScalars(values);
  vtkNew<vtkFlyingEdges3D> contour;
  contour->SetInputData(image);
  contour->SetValue(0, 0);
  contour->ComputeNormalsOff();
  contour->ComputeGradientsOff();
  contour->ComputeScalarsOff();
  uninterrupted([&] { contour->Update(); });  // it allocates by the counts of its first loop
  progress.update(0.8);

  vtkPolyData* surface = contour->GetOutput();
  mesh.points.resize(std::size_t(surface->GetNumberOfPoints()));
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    double at[3];
    surface->GetPoint(vtkIdType(i), at);
    const Vec3<double> p = grid.worldFromVoxel.point({at[0], at[1], at[2]});
    mesh.points[i] = {float(p.x), float(p.y), float(p.z)};
  }
  // In voxel axes, flying edges makes triangles that are counter-clockwise seen from lower values.
  const bool reversed = grid.worldFromVoxel.determinant() > 0;
  vtkCellArray* cells = surface->GetPolys();
  mesh.triangles.reserve(std::size_t(cells->GetNumberOfCells()));
  vtkIdType count = 0;
  const vtkIdType* ids = nullptr;
  for (cells->InitTraversal(); cells->GetNextCell(count, ids);) {
    const auto a = std::int32_t(ids[0]), b = std::int32_t(ids[1]), c = std::int32_t(ids[2]);
    if (reversed)
      mesh.triangles.push_back({a, c, b});
    else
      mesh.triangles.push_back({a, b, c});
  }
  progress.update(1);
  return mesh;
}

}  // namespace sulcus::toolkits
