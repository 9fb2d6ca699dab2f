#include "core/image/warp.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/math/statistics.h"
#include "core/math/strided_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace sulcus {
namespace {

constexpr std::array kWarpFormats{"displacement", "itk", "deformation", "fsl-relative", "fsl-absolute"};

/// The map from FSL's mm of an image to scanner coordinates.
Affine worldFromFslMillimeters(const Grid& grid) {
  const Vec3<double> spacing = grid.spacing();
  Affine voxelFromFsl;
  for (int i = 0; i < 3; ++i) voxelFromFsl.m[i][i] = 1 / spacing[i];
  if (grid.worldFromVoxel.determinant() > 0)
    voxelFromFsl.m[0][0] = -voxelFromFsl.m[0][0], voxelFromFsl.t.x = grid.size.x - 1;
  return grid.worldFromVoxel * voxelFromFsl;
}

}  // namespace

WarpFormat warpFormatFrom(std::string_view name) {
  const auto found = std::find(kWarpFormats.begin(), kWarpFormats.end(), name);
  if (found == kWarpFormats.end())
    throw Error(inQuotes(name, 40) + " is not a warp format", "it is not known",
                "give displacement, itk, deformation, fsl-relative or fsl-absolute");
  return WarpFormat(found - kWarpFormats.begin());
}

Series<float> displacementOf(const Series<float>& warp, WarpFormat format,
                             const std::optional<Grid>& moving) {
  if (warp.count != 3)
    throw Error("There are " + std::to_string(warp.count) + " volumes",
                "a displacement has three, one for each axis", "give a warp");
  const Grid& grid = warp.grid;
  const Affine worldFromMoving = worldFromFslMillimeters(moving.value_or(grid)),
               fslFromWorld = worldFromFslMillimeters(grid).inverse();
  const bool isPosition = format == WarpFormat::deformation || format == WarpFormat::fslAbsolute;
  Series<float> u(grid, 3);
  parallelForBlocks(grid.voxels(), 4096, {}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Vec3<double> value{warp.at(i, 0), warp.at(i, 1), warp.at(i, 2)};
      if (!std::isfinite(value.x + value.y + value.z) || (isPosition && value == Vec3<double>{})) continue;
      const Vec3<double> x = grid.positionOf(i);
      Vec3<double> moved;
      switch (format) {
        case WarpFormat::displacement:
          moved = value;
          break;
        case WarpFormat::itk:
          moved = {-value.x, -value.y, value.z};
          break;
        case WarpFormat::deformation:
          moved = value - x;
          break;
        case WarpFormat::fslRelative:
          moved = worldFromMoving.point(fslFromWorld.point(x) + value) - x;
          break;
        case WarpFormat::fslAbsolute:
          moved = worldFromMoving.point(value) - x;
          break;
      }
      for (int c = 0; c < 3; ++c) u.at(i, c) = float(moved[c]);
    }
  });
  return u;
}

Affine templateFromReferenceOfFlirt(const Affine& matrix, const Grid& moving, const Grid& reference) {
  const double size = matrix.determinant();
  if (!std::isfinite(size) || size == 0)
    throw Error("The FLIRT matrix is singular", "it maps all points onto a plane, line or point",
                "check that it is the right file");
  return worldFromFslMillimeters(moving) * matrix.inverse() * worldFromFslMillimeters(reference).inverse();
}

WarpFormat likelyFormat(const Series<float>& warp) {
  const auto median = [&](WarpFormat format) {
    return reachOf(displacementOf(warp, format), warp.grid).median;
  };
  WarpFormat best = WarpFormat::displacement;
  double least = median(best);
  for (const WarpFormat format : {WarpFormat::deformation, WarpFormat::fslAbsolute})
    if (const double here = median(format); here < least) best = format, least = here;
  return best;
}

WarpReach reachOf(const Series<float>& u, const Grid& moving) {
  const Affine voxelFromWorld = moving.worldFromVoxel.inverse();
  std::vector<float> lengths;
  std::int64_t outside = 0;
  forStridedSample(u.grid.voxels(), 50'000, [&](std::int64_t i) {
    const Vec3<double> moved{u.at(i, 0), u.at(i, 1), u.at(i, 2)};
    if (moved == Vec3<double>{}) return;  // usually marks unknown values
    lengths.push_back(float(norm(moved)));
    const Vec3<double> at = voxelFromWorld.point(u.grid.positionOf(i) + moved);
    for (int c = 0; c < 3; ++c)
      if (!(at[c] > -1 && at[c] < moving.size[c])) {
        ++outside;
        break;
      }
  });
  if (lengths.empty()) return {};
  WarpReach reach;
  reach.largest = *std::max_element(lengths.begin(), lengths.end());
  reach.outside = double(outside) / double(lengths.size());
  reach.median = lowerQuantile(std::span(lengths), 0.5);
  return reach;
}

}  // namespace sulcus
