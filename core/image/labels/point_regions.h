#pragma once

#include "core/image/mesh.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// The part of a surface that has one label.
struct PointRegion {
  Label label = 0;
  std::int64_t points = 0;
  double area = 0;      ///< mm²: a third of each triangle belongs to each of its corners
  Vec3<double> middle;  ///< the point of it that is nearest to the mean of its points, mm, RAS+
};
/// All labels of the points but 0, ascending. `labels`: one of mesh.pointScalars, NaN where there is none.
std::vector<PointRegion> pointRegions(const Mesh& mesh, const std::vector<float>& labels);

}  // namespace sulcus
