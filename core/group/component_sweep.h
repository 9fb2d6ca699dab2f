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
/// heights is a sum. What each voxel was the last to join is a tree (the max-tree of the image), in which the
/// TFCE of a voxel is the sum on the way to its root. Keeps its memory for the next image; of one thread.
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
  /// A cluster beyond the threshold.
  struct Cluster {
    int size = 0;
    double mass = 0;
  };
  void sweep(std::span<const float> values, float sign);
  void add(int rank);
  void join(int& root, int other, int rank);
  void findClusters(std::size_t above);
  void integrate();
  std::uint32_t neighborsOf(int place) const;
  int rootOf(int place);

  SweepOptions options_;
  std::vector<int> place_;      ///< of each voxel in a grid with a border of one voxel
  int rowOffsets_[9];           ///< from a place there to the places left of its nine rows of neighbors
  int offsets_[27];             ///< from a place there to its neighbors, itself among them
  std::uint32_t adjacent_[27];  ///< of each neighbor: itself and those that it touches, a bit each
  std::uint32_t faces_ = 0, all_ = 0;
  std::vector<double> raisedExtent_;  ///< e^E

  std::vector<std::uint64_t> present_;  ///< a bit for each place that was added
  std::vector<int> parent_;  ///< of each place that was added; of a root minus the size of its component
  std::vector<int> last_;    ///< of each root the rank of the voxel that its component got last

  // Of the voxels above 0 by their rank, the highest first.
  std::vector<std::uint64_t> order_, scratch_;
  std::vector<int> joinedBy_;          ///< rank of the voxel that its component got next; −1: none
  std::vector<int> extent_;            ///< of its component when it was added
  std::vector<double> raised_, tfce_;  ///< height^(H + 1); (H + 1) × TFCE
  std::vector<int> clusterOf_;         ///< of each voxel above the threshold
  std::vector<Cluster> clusters_;      ///< by the rank of the voxel that each got last
};

}  // namespace sulcus::group
