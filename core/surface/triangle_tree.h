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

/// Finds the nearest triangle of a mesh. Keeps nothing of the mesh.
class TriangleTree {
 public:
  /// @throws Error  for a mesh without triangles
  explicit TriangleTree(const Mesh& mesh);

  struct Nearest {
    double squaredDistance = std::numeric_limits<double>::infinity();  ///< mm²
    std::int32_t triangle = -1;  ///< of the mesh; −1 when all are further than asked for
    Vec3<double> point;
  };
  /// Any thread may ask; the same answer on every machine. Only what is nearer than `within` mm is looked
  /// for.
  Nearest nearest(const Vec3<double>& p, double within = std::numeric_limits<double>::infinity()) const;

 private:
  struct Box {
    Vec3<float> low, high;
  };
  struct Corners {
    Vec3<float> a, b, c;
  };
  std::vector<std::int32_t> order_;  ///< triangle at each place of a leaf
  std::vector<Corners> corners_;     ///< in that order
  std::vector<std::vector<Box>>
      levels_;  ///< leaves first, the root last; each box holds kWide of those before
};

}  // namespace sulcus
