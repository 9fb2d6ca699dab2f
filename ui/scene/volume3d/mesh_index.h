#pragma once

#include "core/image/mesh.h"

#include <optional>
#include <vector>

namespace sulcus::ui::scene {

/// A plane in world space, unit normal.
struct CutPlane {
  Vec3<double> point, normal;
};

/// Where a plane x, y or z = constant cuts a surface. Triangles are looked up by where they lie along the
/// axis: as long as the outline is, not as large as the surface is.
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

/// The outline in which any plane cuts a surface, as MeshIndex::cut; takes time for all triangles.
std::vector<Vec3<float>> cutBy(const Mesh& mesh, const CutPlane& plane);

/// Where a line of sight meets a surface first.
struct MeshHit {
  double distance = 0;     ///< from its start, in lengths of its direction
  std::int32_t point = 0;  ///< the corner of the triangle that is nearest to where it was met
};
std::optional<MeshHit> firstHit(const Mesh& mesh, const Vec3<double>& from, const Vec3<double>& direction);

/// Whether each edge has a triangle on either side and the triangles are seen from outside: then one cannot
/// see their backs.
bool isClosedOutwards(const Mesh& mesh);

}  // namespace sulcus::ui::scene
