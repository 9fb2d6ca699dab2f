#include "core/surface/band.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/levelset/signed_distance.h"
#include "core/surface/surface_kernel.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
  parallelFor(phi.grid.voxels(), 1 << 16, progress, [&](std::int64_t i) {
    const double value = std::clamp(double(phi.values[i]), -far, far);
    result.values[i] = float(step * std::nearbyint(value / step));
  });
  return result;
}

Band bandOf(Volume<float> phi, double delta, int side,
            const std::function<void(std::int64_t voxels)>& count) {
  Band band;
  band.side = side;
  const auto near = [&](float value) { return std::abs(value) <= delta; };
  const std::int64_t voxels = std::count_if(phi.values.begin(), phi.values.end(), near);
  if (count) count(voxels);
  band.voxels.reserve(voxels);
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i)
    if (near(phi.values[i])) band.voxels.push_back(i);
  if (band.voxels.empty())
    throw Error("No voxel lies near the surface", "the level set is nowhere 0",
                "check the mask or the threshold, or take a wider band");
  band.phi = std::move(phi);
  return band;
}

std::vector<std::int32_t> elementsOf(const Band& band) {
  std::vector<std::int32_t> elements(band.grid().voxels(), -1);
  for (std::int64_t e = 0; e < band.count(); ++e) elements[band.voxels[e]] = std::int32_t(e);
  return elements;
}

std::vector<float> onBand(const Volume<float>& phi, const Band& band) {
  std::vector<float> values;
  values.reserve(band.voxels.size());
  for (const std::int64_t voxel : band.voxels) values.push_back(phi.values[voxel]);
  return values;
}

Volume<float> withBand(const Band& band, const std::vector<float>& values) {
  Volume<float> phi = band.phi;
  for (std::size_t e = 0; e < values.size(); ++e) phi.values[band.voxels[e]] = values[e];
  return phi;
}

Patches patchesOf(const Band& band, const Progress& progress) {
  Patches patches{band.patchSize(), {}};
  patches.values.resize(std::size_t(band.count()) * std::size_t(patches.size));
  const int reach = band.side / 2;
  parallelFor(band.count(), progress, [&](std::int64_t e) {
    const Vec3<int> at = band.grid().voxel(band.voxels[e]);
    float* out = patches.values.data() + e * patches.size;
    for (int z = -reach; z <= reach; ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x)
          *out++ = band.phi.values[placeWithin(at + Vec3<int>{x, y, z}, band.grid().size)];
  });
  return patches;
}

}  // namespace sulcus::surface
