#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sulcus::activation {

/// Means over the neighbors of each voxel, excluding itself, with Gaussian weights of 2 voxels (s.d.), over
/// the given voxels only. With tissue maps a neighbor is weighted by the tissue that it shares:
/// means of each class, weighted with its probability, are averaged with the voxel's own probabilities; the
/// remainder of the maps to 1 is a class, too. A voxel without neighbors gets the mean of all.
class NeighborMeans {
 public:
  /// @param voxels  grid indices, ascending; must outlive this
  /// @param tissue  maps on the grid, or null; must outlive this
  NeighborMeans(const Grid& grid, std::span<const std::int64_t> voxels, const Series<float>* tissue,
                const Progress& progress);
  /// @param values  one for each voxel
  std::vector<float> operator()(std::span<const float> values, const Progress& progress) const;

 private:
  float classWeight(std::size_t kind, std::size_t voxel) const;
  std::vector<float> smoothed(std::span<const float> values, const Progress& progress) const;

  Vec3<int> first_, size_;            // the box of the voxels
  std::vector<std::int64_t> places_;  // positions of the voxels in the box
  std::span<const std::int64_t> voxels_;
  const Series<float>* tissue_;
  std::size_t classes_ = 1;
  std::vector<float> weights_;  // (class, voxel): Σ of the neighbors' weights in each class
};

}  // namespace sulcus::activation
