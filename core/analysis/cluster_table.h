#pragma once

#include "core/image/labels/clusters.h"

#include <optional>

namespace sulcus {

/// Clusters as a table: a row for each peak, with its cluster. Columns: cluster, voxels,
/// volume_mm3, value, x_mm, y_mm, z_mm (of the peak), label (there, where `labels` are given, which may lie
/// on another grid), center_x_mm, center_y_mm, center_z_mm.
///
/// @param labels  null for none
/// @param edge    of the voxels, mm: sets the decimals of places
TableLayer clusterTable(const std::vector<Cluster>& clusters, const LabelsLayer* labels, double edge = 1);

/// What is to be looked for, and where.
struct ClusterRequest {
  LayerPtr map;    ///< a volume or series
  int volume = 0;  ///< of a series, from 0
  Display shown;   ///< its thresholds say what belongs to clusters
  ClusterOptions options;
  LayerPtr labels;  ///< null for none
};

/// The clusters of a map as a layer: a table with its notes, and the command line that makes it. Throws Error
/// when the map is no image or has no threshold, for then all of it hangs together.
Layer clusterLayer(const ClusterRequest& request, const Progress& progress = {});

}  // namespace sulcus
