#pragma once

#include "core/image/mesh.h"

#include <optional>
#include <vector>

namespace sulcus::ui::scene {

/// A plane in world space, unit normal.
struct CutPlane {
  Vec3<double> point, normal;
};

/// The intersection of a plane x, y or z = constant with a surface. Triangles are looked up by their position
/// along the axis, so that the time depends on the length of the outline, not on the size of the surface.
class MeshIndex {
 public:
  /// `axis`: 0, 1 or 2.
  MeshIndex(const Mesh& mesh, int axis);
  /// Line segments of the outline of the same mesh, two points each.
  std::vector<Vec3<float>> cut(const Mesh& mesh, double at) const;

 private:
  int slabOf(float position) const;

  int axis_;
  float low_ = 0, perSlab_ = 1;
  std::vector<std::uint32_t> begin_, triangles_;  ///< those of slab i: triangles_[begin_[i] … begin_[i + 1])
};

/// The outline in which any plane cuts a surface, like MeshIndex::cut; visits all triangles.
std::vector<Vec3<float>> cutBy(const Mesh& mesh, const CutPlane& plane);

/// The first intersection of a line of sight with a surface.
struct MeshHit {
  double distance = 0;     ///< from its start, in lengths of its direction vector
  std::int32_t point = 0;  ///< the corner of the triangle nearest to the intersection
};
std::optional<MeshHit> firstHit(const Mesh& mesh, const Vec3<double>& from, const Vec3<double>& direction);

/// Whether each edge has a triangle on either side and the triangles face outwards: then their backs are
/// never visible.
bool isClosedOutwards(const Mesh& mesh);

}  // namespace sulcus::ui::scene
