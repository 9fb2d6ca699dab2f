#include "core/registration/pyramid.h"

#include "core/base/parallel_for.h"
#include "core/image/interpolate.h"
#include "core/registration/gaussian.h"

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
    for (auto& row : coarse.worldFromVoxel.m) row[std::size_t(i)] *= spacingRatio(fine.size[i], half);
  }
  return coarse;
}

std::vector<float> coarsened(const std::vector<float>& image, const std::vector<std::uint8_t>& mask,
                             const Grid& fine, const Grid& coarse, const Progress& progress) {
  Vec3<double> sigma, step;
  for (int i = 0; i < 3; ++i) {
    step[i] = spacingRatio(fine.size[i], coarse.size[i]);
    sigma[i] = coarse.size[i] < fine.size[i] ? 0.5 * step[i] : 0;
  }
  std::vector<float> soft;
  if (std::find(mask.begin(), mask.end(), 0) == mask.end()) {
    soft = smoothed(image, fine.size, sigma, progress);
  } else {
    std::vector<float> values(image.size()), weights;
    forEachVoxel(image.size(), [&](std::size_t i) { values[i] = mask[i] ? 1.f : 0.f; });
    weights = smoothed(values, fine.size, sigma, progress);
    forEachVoxel(image.size(), [&](std::size_t i) { values[i] = mask[i] ? image[i] : 0.f; });
    soft = smoothed(values, fine.size, sigma, progress);
    forEachVoxel(image.size(),
                 [&](std::size_t i) { soft[i] = weights[i] > 0.01f ? soft[i] / weights[i] : image[i]; });
  }
  std::vector<float> result(std::size_t(coarse.voxels()));
  parallelForBlocks(coarse.voxels(), 16384, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3<int> v = coarse.voxel(i);
      result[std::size_t(i)] =
          float(interpolated(soft.data(), cellAt(fine.size, v.x * step.x, v.y * step.y, v.z * step.z)));
    }
  });
  return result;
}

std::vector<std::uint8_t> coarsened(const std::vector<std::uint8_t>& mask, const Grid& fine,
                                    const Grid& coarse) {
  std::vector<std::uint8_t> result(std::size_t(coarse.voxels()));
  forEachVoxel(result.size(), [&](std::size_t i) {
    const Vec3<int> v = coarse.voxel(std::int64_t(i));
    Vec3<int> nearest;
    for (int k = 0; k < 3; ++k)
      nearest[k] = int(std::lround(v[k] * spacingRatio(fine.size[k], coarse.size[k])));
    result[i] = mask[std::size_t(fine.index(nearest.x, nearest.y, nearest.z))];
  });
  return result;
}

template <class Real>
VectorField<Real> refined(const VectorField<Real>& coarse, const Vec3<int>& fine, const Progress& progress) {
  VectorField<Real> result(fine);
  Vec3<double> step;
  for (int i = 0; i < 3; ++i) step[i] = 1 / spacingRatio(fine[i], coarse.size[i]);
  const Interior xs = interior(fine.x), ys = interior(fine.y), zs = interior(fine.z);
  parallelForBlocks(fine.z, 1, progress, [&](std::int64_t begin, std::int64_t end) {
    for (int z = std::max(int(begin), zs.first); z < std::min(int(end), zs.last + 1); ++z)
      for (int y = ys.first; y <= ys.last; ++y)
        for (int x = xs.first; x <= xs.last; ++x) {
          const auto cell = cellInField(coarse, cellAt(coarse.size, x * step.x, y * step.y, z * step.z));
          for (int i = 0; i < 3; ++i)
            *result.at(i, x, y, z) = Real(interpolated(coarse.values[std::size_t(i)].data(), cell));
        }
  });
  return result;
}

template VectorField<float> refined(const VectorField<float>&, const Vec3<int>&, const Progress&);

}  // namespace sulcus::registration
