#pragma once

#include "core/image/mesh.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// The part of a surface that has one label.
struct PointRegion {
  Label label = 0;
  std::int64_t points = 0;
  double area = 0;      ///< mm²: each corner of a triangle gets a third of its area
  Vec3<double> middle;  ///< its point nearest to the mean of its points, mm, RAS+
};
/// The regions of all labels of the points but 0, ascending. `labels`: one of mesh.pointScalars, NaN for no
/// label.
std::vector<PointRegion> pointRegions(const Mesh& mesh, const std::vector<float>& labels);

}  // namespace sulcus
