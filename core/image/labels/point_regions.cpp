#include "core/image/labels/point_regions.h"

#include <cmath>
#include <limits>
#include <map>

namespace sulcus {

std::vector<PointRegion> pointRegions(const Mesh& mesh, const std::vector<float>& labels) {
  std::map<Label, PointRegion> found;
  const auto regionOf = [&](std::size_t point) {
    const float label = labels[point];
    return std::isnan(label) || label == 0 ? nullptr : &found[Label(label)];
  };
  const auto placeOf = [&](std::size_t point) {
    const Vec3<float>& p = mesh.points[point];
    return Vec3<double>{p.x, p.y, p.z};
  };
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (PointRegion* region = regionOf(i)) {
      ++region->points;
      region->middle = region->middle + placeOf(i);
    }
  for (const auto& triangle : mesh.triangles) {
    const auto corner = [&](std::size_t c) { return placeOf(std::size_t(triangle[c])); };
    const double area = 0.5 * norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
    for (const std::int32_t point : triangle)
      if (PointRegion* region = regionOf(std::size_t(point))) region->area += area / 3;
  }
  struct Nearest {
    Vec3<double> point;
    double squared = std::numeric_limits<double>::infinity();
  };
  std::map<Label, Nearest> nearest;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (const PointRegion* region = regionOf(i)) {
      const Vec3<double> fromMean = placeOf(i) - 1.0 / double(region->points) * region->middle;
      Nearest& best = nearest[Label(labels[i])];
      if (dot(fromMean, fromMean) < best.squared) best = {placeOf(i), dot(fromMean, fromMean)};
    }
  std::vector<PointRegion> regions;
  for (auto& [label, region] : found) {
    region.label = label;
    region.middle = nearest[label].point;
    regions.push_back(region);
  }
  return regions;
}

}  // namespace sulcus
