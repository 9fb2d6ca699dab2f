#include "core/registration/preparation/template_mask.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/results/maps_kernel.h"

#include <algorithm>
#include <limits>

namespace sulcus::registration {
namespace {

/// Whether a voxel's value and its gradient, by central differences, are of the mask alone.
bool isClean(const PlannedLevel& level, const Vec3<int>& voxel) {
  const auto isKept = [&](const Vec3<int>& at) {
    return !level.grid.contains(at.x, at.y, at.z) ||
           level.templateVoxels[std::size_t(level.grid.index(at.x, at.y, at.z))];
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int step = -1; step <= 1; ++step) {
      Vec3<int> at = voxel;
      at[axis] += step;
      if (!isKept(at)) return false;
    }
  return true;
}

}  // namespace

std::vector<std::uint8_t> templateVoxels(const Mask& mask, const Grid& grid,
                                         const Affine& templateFromReference, const Progress& progress) {
  constexpr float kAllOfIt = 0.999F;  // of the eight voxels around, as far as they count
  std::vector<float> shares(mask.values.size());
  std::ranges::transform(mask.values, shares.begin(), [](std::uint8_t in) { return in ? 1.F : 0.F; });
  const Volume<float> there = resampled(mask.grid, {shares.data(), mask.grid.size}, grid,
                                        templateFromReference, Interpolation::linear, 1.F, nullptr, progress);
  std::vector<std::uint8_t> kept(there.values.size());
  std::ranges::transform(there.values, kept.begin(), [](float share) { return share > kAllOfIt; });
  return kept;
}

PlannedLevel withTemplateMask(const PlannedLevel& level, const VectorField<float>& u,
                              const Progress& progress) {
  const Vec3<int> n = level.grid.size;
  const VectorField<float> here = u.size == n ? VectorField<float>() : refined(u, n, progress);
  const VectorField<float>& field = u.size == n ? u : here;
  const Vec3<double> spacing = level.grid.spacing();
  PlannedLevel masked = level;
  std::vector<std::uint8_t> out(level.templateVoxels.size());
  parallelForBlocks(
      level.grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Vec3<int> v = level.grid.voxel(i);
          const Vec3<float> d = field(v.x, v.y, v.z);
          const auto cell = cellAt(n, v.x - d.x / spacing.x, v.y - d.y / spacing.y, v.z - d.z / spacing.z);
          const auto steps = cornerSteps(cell);
          const auto weights = cornerWeights(cell);
          for (std::size_t c = 0; c < steps.size(); ++c)
            if (weights[c] > 0 && !isClean(level, level.grid.voxel(cell.corner + steps[c])))
              out[std::size_t(i)] = 1;
        }
      });
  bool any = false;
  for (LevelImages<float>& images : masked.input.channels)
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i]) images.reference[i] = std::numeric_limits<float>::quiet_NaN();
      any = any || images.reference[i] == images.reference[i];
    }
  if (!any)
    throw Error("The template's mask leaves no voxel in which the images are compared",
                "nothing can be aligned", "give a mask of the part that counts, or none");
  return masked;
}

}  // namespace sulcus::registration
