#include "core/surface/band_estimate.h"

#include "core/image/display/layer_kinds.h"

#include <algorithm>

namespace sulcus::surface {
namespace {

using Kind = SurfaceSource::Kind;

/// Area of the faces between inside and outside, mm², from every `stride`-th plane, scaled up.
template <class Inside>
double faceArea(const Grid& grid, const Inside& inside) {
  constexpr std::int64_t kMostVoxels = 500'000;  // some milliseconds, at every step of a slider
  const Vec3<int> size = grid.size;
  const Vec3<double> s = grid.spacing();
  const int stride = int(1 + grid.voxels() / kMostVoxels);
  std::int64_t x = 0, y = 0, z = 0;
  int planes = 0;
  for (int k = 0; k < size.z; k += stride, ++planes)
    for (int j = 0; j < size.y; ++j)
      for (int i = 0; i < size.x; ++i) {
        const std::int64_t at = grid.index(i, j, k);
        const bool in = inside(at);
        x += i + 1 < size.x && in != inside(at + 1);
        y += j + 1 < size.y && in != inside(at + size.x);
        z += k + 1 < size.z && in != inside(at + std::int64_t(size.x) * size.y);
      }
  const double scale = double(size.z) / std::max(planes, 1);
  return scale * (double(x) * s.y * s.z + double(y) * s.x * s.z + double(z) * s.x * s.y);
}

template <class Values, class Inside>
double faceAreaOf(const Values& volume, const Inside& inside) {
  return faceArea(volume.grid, [&](std::int64_t at) { return inside(double(volume.values[at])); });
}

double areaOf(const Mesh& mesh) {
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3<float> a = mesh.points[t[0]];
    area += 0.5 * double(norm(cross(mesh.points[t[1]] - a, mesh.points[t[2]] - a)));
  }
  return area;
}

/// The approximate area of the surface, mm².
double areaOf(const SurfaceSource& source, const SurfaceOptions& options) {
  constexpr double kFacesPerArea = 1.5;  // mean of |n.x| + |n.y| + |n.z| over all directions
  const Layer& layer = *source.layer;
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content)) return areaOf(*mesh->mesh);
  const auto inside = [&](double value) {
    switch (source.kind) {
      case Kind::mask:
        return options.label == 0 ? value != 0 : value == options.label;
      case Kind::image:
        return value > options.threshold;
      default:
        return value < 0;
    }
  };
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content))
    return faceAreaOf(*labels->labels, inside) / kFacesPerArea;
  return faceAreaOf(*volumeOf(layer, "image").series, inside) / kFacesPerArea;
}

}  // namespace

BandEstimate bandEstimate(const SurfaceSource& source, const SurfaceOptions& options) {
  const Grid grid = gridFor(source, options);
  const double edge = voxelEdge(grid), all = double(grid.voxels());
  return {std::min(all, areaOf(source, options) * 2 * options.delta / (edge * edge)), all};
}

}  // namespace sulcus::surface
