#include "core/registration/preparation/resample.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/grids/interpolate.h"
#include "core/image/grids/value_check.h"
#include "core/registration/preparation/cubic_spline.h"
#include "core/registration/results/maps_kernel.h"

namespace sulcus::registration {
namespace {

/// The label with the largest sum of trilinear weights in a cell; for ties the lowest label.
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

/// The values of an image between its voxels.
class Sampler {
 public:
  Sampler(VolumeView<const float> image, Interpolation interpolation, const Progress& progress)
      : image_(image), interpolation_(interpolation) {
    if (interpolation == Interpolation::cubic)
      spline_.emplace(std::vector<float>(image.data, image.data + image.voxels()), image.size, progress);
  }
  float at(const Vec3<double>& p) const {
    if (interpolation_ == Interpolation::linear) return interpolatedAt(image_, p);
    if (spline_) return interpolatedAt(spline_->view(), p);
    const Cell<double> c = cellAt(image_.size, p.x, p.y, p.z);
    if (interpolation_ == Interpolation::label) return labelAt(image_.data, c);
    return image_.data[c.corner + (c.fx > 0.5) * c.dx + (c.fy > 0.5) * c.dy + (c.fz > 0.5) * c.dz];
  }

 private:
  VolumeView<const float> image_;
  Interpolation interpolation_;
  std::optional<SplineImage> spline_;
};

}  // namespace

Volume<float> resampled(const PlacedVolume& image, const Grid& grid, const Affine& imageFromGrid,
                        Sampling sampling, Mask* covered, const Progress& progress) {
  Volume<float> result(grid, sampling.outside.value_or(0));
  if (covered) *covered = Mask(grid);
  const Affine map = image.grid.worldFromVoxel.inverse() * imageFromGrid * grid.worldFromVoxel;
  if (sampling.interpolation == Interpolation::cubic && leadsToVoxels(map))
    sampling.interpolation = Interpolation::linear;
  const Sampler sampler(image.values, sampling.interpolation, progress);
  const AffineMap voxelFromVoxel = map;
  parallelForBlocks(grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
    Vec3<int> v = grid.voxel(begin);
    for (std::int64_t i = begin; i < end; ++i, advance(grid.size, v)) {
      const Vec3<double> p = voxelFromVoxel.point(placeOf(v));
      const bool covers = isInImage(image.values.size, p);
      if (covers || !sampling.outside) result.values[i] = sampler.at(p);
      if (covered) covered->values[i] = covers;
    }
  });
  return result;
}

void requireField(const Series<float>& displacement) {
  if (displacement.count != 3)
    throw Error(text("The displacement field has ", displacement.count, " volumes"),
                "a displacement has three components", "give a field as the registration writes it");
  requireSound(displacement.values, "The displacement field", "the displacement is undefined there",
               "give a field without them");
}

Series<float> displaced(const Series<float>& image, const Series<float>& displacement,
                        Interpolation interpolation, float outside, const Progress& progress) {
  requireField(displacement);
  const Grid& grid = displacement.grid;
  Series<float> result(grid, image.count, outside);
  const AffineMap voxelFromWorld = image.grid.worldFromVoxel.inverse(), worldFromVoxel = grid.worldFromVoxel;
  // All volumes at once, but for splines one at a time, since a spline takes the memory of a volume.
  const int together = interpolation == Interpolation::cubic ? 1 : image.count;
  for (int first = 0; first < image.count; first += together) {
    std::vector<Sampler> samplers;
    for (int k = first; k < first + together; ++k)
      samplers.emplace_back(image.volume(k), interpolation, progress);
    parallelForBlocks(grid.voxels(), kVoxelsPerBlock, progress, [&](std::int64_t begin, std::int64_t end) {
      Vec3<int> v = grid.voxel(begin);
      for (std::int64_t i = begin; i < end; ++i, advance(grid.size, v)) {
        const Vec3<double> p =
            displacedPlace(voxelFromWorld, worldFromVoxel, v,
                           {displacement.at(i, 0), displacement.at(i, 1), displacement.at(i, 2)});
        if (!isInImage(image.grid.size, p)) continue;
        for (int k = 0; k < together; ++k) result.at(i, first + k) = samplers[k].at(p);
      }
    });
  }
  return result;
}

}  // namespace sulcus::registration
