#include "core/registration/resample.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/interpolate.h"
#include "core/image/value_check.h"
#include "core/registration/maps_body.h"

namespace sulcus::registration {
namespace {

/// The label with the largest sum of trilinear weights in a cell; of equal ones the lowest label.
float labelAt(const float* image, const Cell<double>& cell) {
  const auto steps = cornerSteps(cell);
  const auto weights = cornerWeights(cell);
  const auto label = [&](std::size_t corner) { return image[cell.corner + steps[corner]]; };
  float best = label(0);
  double bestWeight = -1;
  for (std::size_t i = 0; i < 8; ++i) {
    double weight = 0;
    for (std::size_t k = 0; k < 8; ++k) weight += label(k) == label(i) ? weights[k] : 0;
    if (weight > bestWeight || (weight == bestWeight && label(i) < best))
      best = label(i), bestWeight = weight;
  }
  return best;
}

float valueAt(VolumeView<const float> image, const Vec3<double>& p, Interpolation interpolation) {
  if (interpolation == Interpolation::linear) return interpolatedAt(image, p);
  const Cell<double> c = cellAt(image.size, p.x, p.y, p.z);
  if (interpolation == Interpolation::label) return labelAt(image.data, c);
  return image.data[c.corner + (c.fx > 0.5) * c.dx + (c.fy > 0.5) * c.dy + (c.fz > 0.5) * c.dz];
}

}  // namespace

Volume<float> resampled(const Grid& imageGrid, VolumeView<const float> image, const Grid& grid,
                        const Affine& imageFromGrid, Interpolation interpolation,
                        std::optional<float> outside, Mask* covered, const Progress& progress) {
  Volume<float> result(grid, outside.value_or(0));
  if (covered) *covered = Mask(grid);
  const AffineMap voxelFromVoxel = imageGrid.worldFromVoxel.inverse() * imageFromGrid * grid.worldFromVoxel;
  parallelForBlocks(grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    Vec3<int> v = grid.voxel(begin);
    for (std::int64_t i = begin; i < end; ++i, advance(grid.size, v)) {
      const Vec3<double> p = voxelFromVoxel.point(placeOf(v));
      const bool covers = isInImage(image.size, p);
      if (covers || !outside) result.values[std::size_t(i)] = valueAt(image, p, interpolation);
      if (covered) covered->values[std::size_t(i)] = covers;
    }
  });
  return result;
}

void requireField(const Series<float>& displacement) {
  if (displacement.count != 3)
    throw Error(text("The displacement field has ", displacement.count, " volumes"),
                "a displacement has three components", "give a field as the registration writes it");
  requireSound(displacement.values, "The displacement field", "there they lead nowhere",
               "give a field without them");
}

Series<float> displaced(const Series<float>& image, const Series<float>& displacement,
                        Interpolation interpolation, float outside, const Progress& progress) {
  requireField(displacement);
  const Grid& grid = displacement.grid;
  Series<float> result(grid, image.count, outside);
  const AffineMap voxelFromWorld = image.grid.worldFromVoxel.inverse(), worldFromVoxel = grid.worldFromVoxel;
  parallelForBlocks(grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    Vec3<int> v = grid.voxel(begin);
    for (std::int64_t i = begin; i < end; ++i, advance(grid.size, v)) {
      const Vec3<double> p =
          displacedPlace(voxelFromWorld, worldFromVoxel, v,
                         {displacement.at(i, 0), displacement.at(i, 1), displacement.at(i, 2)});
      if (!isInImage(image.grid.size, p)) continue;
      for (int k = 0; k < image.count; ++k) result.at(i, k) = valueAt(image.volume(k), p, interpolation);
    }
  });
  return result;
}

}  // namespace sulcus::registration
