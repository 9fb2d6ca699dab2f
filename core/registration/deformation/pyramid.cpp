#include "core/registration/deformation/pyramid.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/preparation/preparation_kernel.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

/// The coarser spacing in voxels of the finer grid.
double spacingRatio(int fine, int coarse) { return coarse > 1 ? double(fine - 1) / (coarse - 1) : 1.0; }

}  // namespace

double finestSpacing(const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  double finest = INFINITY;
  for (int i = 0; i < 3; ++i)
    if (grid.size[i] > 1) finest = std::min(finest, spacing[i]);
  return finest;
}

Grid coarser(const Grid& fine) {
  const Vec3<double> spacing = fine.spacing();
  const double finest = finestSpacing(fine);
  Grid coarse = fine;
  for (int i = 0; i < 3; ++i) {
    const int half = (fine.size[i] + 1) / 2;
    if (half < kSmallestAxis || spacing[i] > std::sqrt(2.0) * finest) continue;
    coarse.size[i] = half;
    for (auto& row : coarse.worldFromVoxel.m) row[i] *= spacingRatio(fine.size[i], half);
  }
  return coarse;
}

Coarsening coarseningOf(const Vec3<int>& fine, const Vec3<int>& coarse) {
  Coarsening how;
  for (int i = 0; i < 3; ++i) {
    how.step[i] = spacingRatio(fine[i], coarse[i]);
    how.sigma[i] = coarse[i] < fine[i] ? 0.5 * how.step[i] : 0;
  }
  return how;
}

std::vector<float> coarsened(const std::vector<float>& image, const std::vector<std::uint8_t>& mask,
                             const Grid& fine, const Grid& coarse, const Progress& progress) {
  const Coarsening how = coarseningOf(fine.size, coarse.size);
  std::vector<float> soft;
  if (std::find(mask.begin(), mask.end(), 0) == mask.end()) {
    soft = smoothed(image, fine.size, how.sigma, progress);
  } else {
    std::vector<float> values(image.size()), weights;
    forEachVoxel(image.size(), [&](std::size_t i) { values[i] = mask[i] ? 1.f : 0.f; });
    weights = smoothed(values, fine.size, how.sigma, progress);
    forEachVoxel(image.size(), [&](std::size_t i) { values[i] = mask[i] ? image[i] : 0.f; });
    soft = smoothed(values, fine.size, how.sigma, progress);
    forEachVoxel(image.size(), [&](std::size_t i) { soft[i] = withinMask(soft[i], weights[i], image[i]); });
  }
  std::vector<float> result(coarse.voxels());
  parallelForBlocks(coarse.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      result[i] = interpolatedAt({soft.data(), fine.size}, steppedPlace(coarse.voxel(i), how.step));
  });
  return result;
}

std::vector<std::uint8_t> coarsened(const std::vector<std::uint8_t>& mask, const Grid& fine,
                                    const Grid& coarse) {
  std::vector<std::uint8_t> result(coarse.voxels());
  forEachVoxel(result.size(), [&](std::size_t i) {
    const Vec3<int> v = coarse.voxel(std::int64_t(i));
    Vec3<int> nearest;
    for (int k = 0; k < 3; ++k)
      nearest[k] = int(std::lround(v[k] * spacingRatio(fine.size[k], coarse.size[k])));
    result[i] = mask[fine.index(nearest.x, nearest.y, nearest.z)];
  });
  return result;
}

Vec3<double> refiningStep(const Vec3<int>& fine, const Vec3<int>& coarse) {
  Vec3<double> step;
  for (int i = 0; i < 3; ++i) step[i] = 1 / spacingRatio(fine[i], coarse[i]);
  return step;
}

VectorField<float> refined(const VectorField<float>& coarse, const Vec3<int>& fine,
                           const Progress& progress) {
  VectorField<float> result(fine);
  const Vec3<double> step = refiningStep(fine, coarse.size);
  const FieldArrays from = arraysOf(coarse);
  const Interior xs = interior(fine.x), ys = interior(fine.y), zs = interior(fine.z);
  parallelForBlocks(fine.z, 1, progress, [&](std::int64_t begin, std::int64_t end) {
    for (int z = std::max(int(begin), zs.first); z < std::min(int(end), zs.last + 1); ++z)
      for (int y = ys.first; y <= ys.last; ++y)
        for (int x = xs.first; x <= xs.last; ++x)
          result.set(x, y, z, interpolatedAt(from, steppedPlace({x, y, z}, step)));
  });
  return result;
}

}  // namespace sulcus::registration
