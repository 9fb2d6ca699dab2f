#pragma once

#include "core/image/mesh.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace sulcus::levelset {

/// The point of the triangle a, b, c that is nearest to p.
///
/// The method is that of Ericson, Real-Time Collision Detection (2005) 141.
Vec3<double> nearestOnTriangle(const Vec3<double>& p, const Vec3<double>& a, const Vec3<double>& b,
                               const Vec3<double>& c);

struct NearestPoint {
  double squaredDistance = std::numeric_limits<double>::infinity();  ///< mm²
  Vec3<double> point;                                                ///< mm
  std::int32_t triangle = -1;                                        ///< its index in the tree
};

/// A tree of bounding boxes that finds the nearest triangle of a mesh. It copies what it needs from the mesh.
class TriangleTree {
 public:
  /// @throws Error  for a mesh without triangles
  explicit TriangleTree(const Mesh& mesh);

  /// The nearest point of all triangles to p (mm). Thread-safe. It is faster if `near` is the index of a
  /// triangle near p; the distance does not depend on it.
  NearestPoint nearest(const Vec3<double>& p, std::int32_t near = -1) const;

 private:
  static constexpr int kBoxes = 8;
  struct Corners {
    Vec3<float> a, b, c;
  };
  /// Boxes that are tested together; padding has low > high.
  struct Boxes {
    float low[3][kBoxes], high[3][kBoxes];
  };
  /// Boxes in groups, from (low, high) = rangeOf(box, axis) of each.
  template <class RangeOf>
  static std::vector<Boxes> grouped(std::size_t count, const RangeOf& rangeOf);
  NearestPoint nearestOf(std::int32_t triangle, const Vec3<double>& p) const;

  std::vector<Corners> corners_;  ///< of each triangle, along a Z-order curve
  /// The levels of the tree, from the boxes of the triangles to the root. Box i of a level encloses the boxes
  /// at place i of the level before.
  std::vector<std::vector<Boxes>> levels_;
  float largest_ = 0;  ///< largest |coordinate| of any corner, mm
};

}  // namespace sulcus::levelset
