#pragma once

#include "core/image/mesh.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sulcus {

/// The nearest point of a triangle.
///
/// Ericson, Real-Time Collision Detection (2005) 141.
Vec3<double> nearestOnTriangle(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b,
                               const Vec3<double>& c);

struct NearestPoint {
  double squaredDistance = std::numeric_limits<double>::infinity();  ///< mm²
  Vec3<double> point;
  std::int32_t place = -1;  ///< of its triangle in the tree
};

/// Finds the nearest triangle of a mesh. Keeps nothing of the mesh.
class TriangleTree {
 public:
  /// @throws Error  for a mesh without triangles
  explicit TriangleTree(const Mesh& mesh);

  /// Any thread may ask. Quicker with the place of a triangle that lies near.
  NearestPoint nearest(const Vec3<double>& p, std::int32_t near = -1) const;

 private:
  struct Box {
    Vec3<float> low, high;
  };
  struct Corners {
    Vec3<float> a, b, c;
  };
  NearestPoint among(const Vec3<double>& p, std::int32_t place) const;

  std::vector<Corners> corners_;  ///< by place: along a Z-order curve
  std::vector<std::vector<Box>>
      levels_;  ///< leaves first, the root last; each box holds four of those before
};

}  // namespace sulcus
