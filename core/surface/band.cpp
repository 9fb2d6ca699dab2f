#include "core/surface/band.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/levelset/signed_distance.h"

#include <algorithm>
#include <cmath>

namespace sulcus::surface {
namespace {

/// The shortest edge of a voxel rounded down to a power of two, mm.
double unitOf(const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  return std::exp2(std::floor(std::log2(std::min({spacing.x, spacing.y, spacing.z}))));
}

}  // namespace

Volume<float> quantized(const Volume<float>& phi, const Progress& progress) {
  const double unit = unitOf(phi.grid), step = unit / kStepsPerVoxel, far = levelset::kFarthest * unit;
  Volume<float> result(phi.grid);
  parallelFor(
      phi.grid.voxels(), progress,
      [&](std::int64_t i) {
        const double value = std::clamp(double(phi.values[std::size_t(i)]), -far, far);
        result.values[std::size_t(i)] = float(step * std::nearbyint(value / step));
      },
      1 << 16);
  return result;
}

Band bandOf(const Volume<float>& phi, double delta, int side, const Progress& progress,
            const std::function<void(std::int64_t voxels)>& count) {
  Band band;
  band.grid = phi.grid;
  band.side = side;
  const auto near = [&](float value) { return std::abs(value) <= delta; };
  const std::int64_t voxels = std::count_if(phi.values.begin(), phi.values.end(), near);
  if (count) count(voxels);
  band.voxels.reserve(std::size_t(voxels));
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i)
    if (near(phi.values[std::size_t(i)])) band.voxels.push_back(i);
  if (band.voxels.empty())
    throw Error("No voxel lies near the surface", "the level set is nowhere 0",
                "check the mask or the threshold, or take a wider band");
  band.patches.resize(std::size_t(band.count()) * std::size_t(band.patchSize()));
  const Vec3<int> size = phi.grid.size;
  const int reach = side / 2;
  parallelFor(band.count(), progress, [&](std::int64_t e) {
    const Vec3<int> at = phi.grid.voxel(band.voxels[std::size_t(e)]);
    float* out = band.patches.data() + e * band.patchSize();
    for (int k = -reach; k <= reach; ++k)
      for (int j = -reach; j <= reach; ++j) {
        const int y = std::clamp(at.y + j, 0, size.y - 1), z = std::clamp(at.z + k, 0, size.z - 1);
        for (int i = -reach; i <= reach; ++i) *out++ = phi(std::clamp(at.x + i, 0, size.x - 1), y, z);
      }
  });
  return band;
}

}  // namespace sulcus::surface
