#pragma once

#include "core/image/labels/clusters.h"
#include "core/math/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sulcus::group {

/// Neighborhood, weights and threshold of clusters.
struct SweepOptions {
  Connectivity connectivity = Connectivity::corners;
  double extentPower = 0.5, heightPower = 2;  ///< E and H of TFCE
  float threshold = 0;                        ///< for extents and masses
};

/// The largest values of an image; 0 where no value is above 0.
struct LargestOfImage {
  float value = 0, tfce = 0, extent = 0, mass = 0;
};

/// Threshold-free cluster enhancement (Smith & Nichols, NeuroImage 44 (2009) 83) and clusters above one
/// threshold, exactly and in one pass: voxels are added from the highest down, and components join as they
/// meet. Between two heights the extent of each component is constant, so the integral ∫ e(h)^E h^H dh over
/// all heights is a sum. The voxels at which components grow form a tree (the max-tree of the image), in
/// which the TFCE of a voxel is the sum on the path to its root. Keeps its memory for the next image; for one
/// thread.
class ComponentSweep {
 public:
  /// @param size    of the grid
  /// @param voxels  of the mask, ascending
  ComponentSweep(Vec3<int> size, std::span<const std::int64_t> voxels, const SweepOptions& options);

  /// The largest of sign × values, one value for each voxel of the mask.
  LargestOfImage largest(std::span<const float> values, float sign);

  /// Adds sign × TFCE, extent and mass of each voxel, whose maxima largest() returns, to the maps where sign
  /// × value is above 0.
  void addMaps(std::span<const float> values, float sign, std::span<float> tfce, std::span<float> extent,
               std::span<float> mass);

 private:
  /// A cluster above the threshold.
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
  std::vector<int> place_;      ///< position of each voxel in a grid with a border of one voxel
  int rowOffsets_[9];           ///< from a position to the first of the three in each row of its neighborhood
  int offsets_[27];             ///< from a position to each of its neighborhood, itself included
  std::uint32_t adjacent_[27];  ///< for each neighbor, one bit each: itself and those it touches
  std::uint32_t faces_ = 0, all_ = 0;
  std::vector<double> raisedExtent_;  ///< e^E

  std::vector<std::uint64_t> present_;  ///< one bit for each position that was added
  std::vector<int> parent_;  ///< of each added position; for a root minus the size of its component
  std::vector<int> last_;    ///< for each root the rank of the voxel added last to its component

  // Voxels above 0 by rank, the highest first.
  std::vector<std::uint64_t> order_, scratch_;
  std::vector<int> joinedBy_;          ///< rank of the voxel added next to its component; −1: none
  std::vector<int> extent_;            ///< size of its component when it was added
  std::vector<double> raised_, tfce_;  ///< height^(H + 1); (H + 1) × TFCE
  std::vector<int> clusterOf_;         ///< of each voxel above the threshold
  std::vector<Cluster> clusters_;      ///< by the rank of the voxel added last to each
};

}  // namespace sulcus::group
