#pragma once

#include "ui/scene/volume3d/mesh_index.h"

#include <array>
#include <memory>

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace sulcus::ui::scene {

/// A surface prepared for drawing, cutting and picking; made once for all views. UI thread.
class MeshShape {
 public:
  explicit MeshShape(std::shared_ptr<const Mesh> mesh);
  MeshShape(const MeshShape&) = delete;
  MeshShape& operator=(const MeshShape&) = delete;
  ~MeshShape();

  const Mesh& mesh() const { return *mesh_; }
  /// The surface with normals and named point scalars.
  vtkPolyData* data() const;
  bool closedOutwards() const { return closedOutwards_; }
  /// Segments, two points each, in which a plane cuts it; fast along an axis of the scanner.
  std::vector<Vec3<float>> cut(const CutPlane& plane) const;

 private:
  std::shared_ptr<const Mesh> mesh_;
  vtkSmartPointer<vtkPolyData> data_;
  bool closedOutwards_;
  mutable std::array<std::unique_ptr<const MeshIndex>, 3> indices_;
};
using MeshShapePtr = std::shared_ptr<const MeshShape>;

/// The shape of a mesh, shared by all users of the mesh.
MeshShapePtr shapeOf(const std::shared_ptr<const Mesh>& mesh);

}  // namespace sulcus::ui::scene
