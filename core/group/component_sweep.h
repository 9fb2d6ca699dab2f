#pragma once

#include "core/image/labels/clusters.h"
#include "core/math/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sulcus::group {

/// What belongs to clusters and how they are weighed.
struct SweepOptions {
  Connectivity connectivity = Connectivity::corners;
  double extentPower = 0.5, heightPower = 2;  ///< E and H of TFCE
  float threshold = 0;                        ///< of extents and masses
};

/// The largest of an image; 0 where nothing lies above 0.
struct LargestOfImage {
  float value = 0, tfce = 0, extent = 0, mass = 0;
};

/// Threshold-free cluster enhancement (Smith & Nichols, NeuroImage 44 (2009) 83) and clusters beyond one
/// threshold, exactly and in one pass: voxels are added from the highest down, components join as they meet,
/// and between two heights the extent of each is constant, so that the integral ∫ e(h)^E h^H dh over all
/// heights is a sum. Keeps its memory for the next image; of one thread.
class ComponentSweep {
 public:
  /// @param size    of the grid
  /// @param voxels  of the mask, ascending
  ComponentSweep(Vec3<int> size, std::span<const std::int64_t> voxels, const SweepOptions& options);

  /// The largest of sign × values, one value for each voxel of the mask.
  LargestOfImage largest(std::span<const float> values, float sign);

  /// What largest() is the largest of, for each voxel: sign × TFCE, extent and mass are added to the maps
  /// where sign × value is above 0.
  void addMaps(std::span<const float> values, float sign, std::span<float> tfce, std::span<float> extent,
               std::span<float> mass);

 private:
  /// A voxel in the forest of components; what it has beside its parent counts for roots alone, but for
  /// `sum`.
  struct Node {
    int parent = 0, size = 0;
    double sum = 0;     ///< TFCE: of a voxel the sum of these on the way to its root
    double raised = 0;  ///< the height at which the component was closed last, to the power of H + 1
    double total = 0;   ///< of the values
  };
  LargestOfImage sweep(std::span<const float> values, float sign);
  int rootOf(int node);
  void closeTo(int root, double raisedHeight);
  double tfceOf(int node) const;

  SweepOptions options_;
  std::vector<std::int64_t> place_;   ///< of each voxel in the padded grid
  std::vector<std::int64_t> offset_;  ///< of its neighbors there
  std::vector<int> nodeAt_;  ///< of each place in the padded grid: the voxel, −1 while it is not added
  std::vector<double> raisedExtent_;  ///< e^E
  std::vector<std::uint64_t> order_, scratch_;
  std::vector<Node> nodes_;
  std::vector<int> clusterOf_;  ///< root of each voxel above the threshold, when it was passed
};

}  // namespace sulcus::group
