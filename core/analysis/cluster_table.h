#pragma once

#include "core/image/labels/clusters.h"

#include <optional>

namespace sulcus {

/// Clusters as a table with one row per peak. Columns: cluster, voxels, volume_mm3, value, x_mm, y_mm, z_mm
/// (of the peak), label (at the peak, only if `labels` are given, which may lie on another grid),
/// center_x_mm, center_y_mm, center_z_mm.
///
/// @param labels  null for none
/// @param edge    edge length of the voxels, mm: determines the decimals of positions
TableLayer clusterTable(const std::vector<Cluster>& clusters, const LabelsLayer* labels, double edge = 1);

/// The clusters to look for.
struct ClusterRequest {
  LayerPtr map;    ///< a volume or series
  int volume = 0;  ///< index in a series, from 0
  Display shown;   ///< its thresholds define what belongs to clusters
  ClusterOptions options;
  LayerPtr labels;  ///< null for none
};

/// The clusters of a map as a table layer with notes and the command line that makes it. Throws Error if the
/// map is not an image or has no threshold, since then everything is connected.
Layer clusterLayer(const ClusterRequest& request, const Progress& progress = {});

}  // namespace sulcus
