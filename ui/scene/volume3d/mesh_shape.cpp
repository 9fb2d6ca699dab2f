#include "ui/scene/volume3d/mesh_shape.h"

#include "ui/scene/volume3d/poly_data.h"

#include <map>

#include <vtkPolyData.h>

namespace sulcus::ui::scene {

MeshShape::MeshShape(std::shared_ptr<const Mesh> mesh)
    : mesh_(std::move(mesh)), data_(polyDataOf(*mesh_)), closedOutwards_(isClosedOutwards(*mesh_)) {}

MeshShape::~MeshShape() = default;

vtkPolyData* MeshShape::data() const { return data_; }

std::vector<Vec3<float>> MeshShape::cut(const CutPlane& plane) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (plane.normal[axis] != 1) continue;
    auto& index = indices_[std::size_t(axis)];
    if (!index) index = std::make_unique<const MeshIndex>(*mesh_, axis);
    return index->cut(*mesh_, plane.point[axis]);
  }
  return cutBy(*mesh_, plane);
}

MeshShapePtr shapeOf(const std::shared_ptr<const Mesh>& mesh) {
  static std::map<const Mesh*, std::weak_ptr<const MeshShape>> known;
  std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
  auto& entry = known[mesh.get()];
  MeshShapePtr shape = entry.lock();
  if (!shape) entry = shape = std::make_shared<const MeshShape>(mesh);
  return shape;
}

}  // namespace sulcus::ui::scene
