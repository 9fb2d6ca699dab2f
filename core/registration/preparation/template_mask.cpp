#include "core/registration/preparation/template_mask.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/grids/interpolate.h"
#include "core/image/grids/neighbors.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/results/maps_kernel.h"

#include <algorithm>
#include <limits>

namespace sulcus::registration {
namespace {

/// The share of what a value is interpolated from that must lie in the mask for it to be compared; over ten
/// lesions the error is smallest at 0.8 (tests/bench/RESULTS.md).
constexpr float kShareInMask = 0.8F;
/// Number of voxels by which an image is extended beyond its mask: the reach of interpolation and gradients
/// at the coarsest of three levels.
constexpr int kShells = 16;

}  // namespace

std::shared_ptr<const Series<float>> continuedBeyond(const Mask& mask, const Series<float>& image,
                                                     const Progress& progress) {
  const Grid& grid = mask.grid;
  auto continued = std::make_shared<Series<float>>(image);
  std::vector<float>& values = continued->values;
  std::vector<std::uint8_t> known = mask.values, isNext(known.size());
  const auto forEachNeighbor = [&](std::int64_t voxel, const auto& use) {
    forNeighbors(grid, grid.voxel(voxel), Connectivity::corners, use);
  };
  parallelFor(grid.voxels(), progress, [&](std::int64_t i) {
    if (known[i]) return;
    forEachNeighbor(i, [&](std::int64_t j) { isNext[i] |= known[j]; });
  });
  std::vector<std::int64_t> shell;
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    if (isNext[i]) shell.push_back(i);
  for (int depth = 0; depth < kShells; ++depth) {
    parallelFor(std::ssize(shell), progress, [&](std::int64_t n) {
      double sum = 0, count = 0;
      forEachNeighbor(shell[n], [&](std::int64_t j) {
        if (!known[j]) return;
        sum += double(values[j]);
        ++count;
      });
      values[shell[n]] = float(sum / count);
    });
    for (const std::int64_t i : shell) known[i] = 1;
    std::vector<std::int64_t> next;
    for (const std::int64_t i : shell)
      forEachNeighbor(i, [&](std::int64_t j) {
        if (!known[j] && !isNext[j]) {
          isNext[j] = 1;
          next.push_back(j);
        }
      });
    shell = std::move(next);
  }
  return continued;
}

std::vector<std::uint8_t> templateVoxels(const Mask& mask, const Grid& grid,
                                         const Affine& templateFromReference, const Progress& progress) {
  Volume<float> shares(mask.grid);
  std::ranges::transform(mask.values, shares.values.begin(), [](std::uint8_t in) { return in ? 1.F : 0.F; });
  const Volume<float> there =
      resampled(shares, grid, templateFromReference, {Interpolation::linear, 1.F}, nullptr, progress);
  std::vector<std::uint8_t> kept(there.values.size());
  std::ranges::transform(there.values, kept.begin(), [](float share) { return share > kShareInMask; });
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
          float kept = 0;
          for (std::size_t c = 0; c < steps.size(); ++c)
            if (level.templateVoxels[cell.corner + steps[c]]) kept += float(weights[c]);
          out[i] = !(kept > kShareInMask);
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
