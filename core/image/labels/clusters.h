#pragma once

#include "core/base/progress.h"
#include "core/image/grids/neighbors.h"
#include "core/image/layer.h"

#include <cstdint>
#include <vector>

namespace sulcus {

struct ClusterOptions {
  Connectivity connectivity = Connectivity::corners;
  double leastVolume = 0;   ///< mm³; smaller clusters are left out
  int peaks = 3;            ///< of each cluster, at most
  double peakDistance = 8;  ///< mm; least distance between the peaks of a cluster
};

/// A voxel farther from 0 than its 26 neighbors in its cluster; on a plateau the voxel in the middle.
struct Peak {
  double value = 0;
  Vec3<int> voxel;
  Vec3<double> place;  ///< its center, mm, RAS+
};

/// Connected voxels of the same sign.
struct Cluster {
  std::int64_t voxels = 0;
  double volume = 0;        ///< mm³
  Vec3<double> center;      ///< mean of the voxels' centers, mm, RAS+
  std::vector<Peak> peaks;  ///< highest first; for negative values lowest first
};

/// The clusters of the nonzero values that a display shows, largest first. Positive and negative values form
/// separate clusters.
///
/// @param values  of one volume on `grid`
std::vector<Cluster> findClusters(VolumeView<const float> values, const Grid& grid, const Display& shown,
                                  const ClusterOptions& options, const Progress& progress = {});

}  // namespace sulcus
