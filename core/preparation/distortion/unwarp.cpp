#include "core/preparation/distortion/unwarp.h"

#include "core/base/parallel/parallel_for.h"
#include "core/preparation/motion_steps.h"
#include "core/registration/preparation/cubic_spline.h"

#include <algorithm>

namespace sulcus::preparation {

Unwarp unwarpOf(const Volume<float>& hertz, const PhaseEncoding& encoding) {
  const Vec3<int>& size = hertz.grid.size;
  const std::int64_t strides[] = {1, size.x, std::int64_t(size.x) * size.y};
  const std::int64_t stride = strides[encoding.axis];
  const int n = size[encoding.axis];
  const double scale = encoding.voxelsPerHz();
  Unwarp unwarp;
  unwarp.axis = encoding.axis;
  unwarp.shift.resize(hertz.values.size());
  unwarp.width.resize(hertz.values.size());
  for (std::int64_t i = 0; i < hertz.grid.voxels(); ++i) {
    const int at = int(i / stride % n);
    const std::int64_t low = at > 0 ? i - stride : i;
    const std::int64_t high = at + 1 < n ? i + stride : i;
    const double slope =
        low < high ? (hertz.values[high] - hertz.values[low]) / double((high - low) / stride) : 0;
    unwarp.shift[i] = float(scale * hertz.values[i]);
    unwarp.width[i] = float(std::max(0.0, 1 + scale * slope));
  }
  return unwarp;
}

Volume<float> fieldOn(const Volume<float>& hertz, const Grid& grid, const Affine& fieldFromGrid) {
  const registration::SplineImage image(hertz.values, hertz.grid.size, {});
  const Affine voxels = hertz.grid.worldFromVoxel.inverse() * fieldFromGrid * grid.worldFromVoxel;
  Volume<float> result(grid);
  parallelFor(grid.voxels(), 4096, {}, [&](std::int64_t i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> p = voxels.point({double(v.x), double(v.y), double(v.z)});
    const Vec3<float> q{float(p.x), float(p.y), float(p.z)};
    result.values[i] = isInImage(hertz.grid.size, q) ? registration::interpolatedAt<int>(image.view(), q) : 0;
  });
  return result;
}

Volume<float> unwarped(const Volume<float>& image, const Unwarp& unwarp) {
  return realignedVolume(image.grid, image.view(), voxelMapOf({}, image.grid), unwarp.view());
}

}  // namespace sulcus::preparation
