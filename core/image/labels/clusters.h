#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

#include <cstdint>
#include <vector>

namespace sulcus {

/// Which voxels are neighbors: those that share a face, also an edge, also a corner.
enum class Connectivity { faces = 6, edges = 18, corners = 26 };

struct ClusterOptions {
  Connectivity connectivity = Connectivity::corners;
  double leastVolume = 0;   ///< mm³; smaller clusters are left out
  int peaks = 3;            ///< of each cluster, at most
  double peakDistance = 8;  ///< mm; peaks of a cluster are farther from each other
};

/// A voxel farther from 0 than its 26 neighbors in its cluster; of level ground the one in its middle.
struct Peak {
  double value = 0;
  Vec3<int> voxel;
  Vec3<double> place;  ///< of its center, mm, RAS+
};

/// Neighboring voxels of one sign.
struct Cluster {
  std::int64_t voxels = 0;
  double volume = 0;        ///< mm³
  Vec3<double> center;      ///< mean of the voxels' centers, mm, RAS+
  std::vector<Peak> peaks;  ///< the highest first; of negative values the lowest
};

/// The clusters of the values that a display shows, 0 apart, the largest first. Positive and negative values
/// make clusters of their own.
///
/// @param values  of one volume on `grid`
std::vector<Cluster> findClusters(VolumeView<const float> values, const Grid& grid, const Display& shown,
                                  const ClusterOptions& options, const Progress& progress = {});

}  // namespace sulcus
