#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"

#include <cstdint>
#include <functional>
#include <vector>

#include <Eigen/Core>

namespace sulcus::activation {

/// Series in double, scans × voxels, the voxels of a scan adjacent.
using SeriesRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline constexpr std::int64_t kSeriesPerBlock = 256;  ///< voxels; their series fit into the level-2 cache

/// Calls body(begin, end, y) for blocks of at most kSeriesPerBlock voxels with their series y, on all
/// threads.
///
/// @param voxels  grid indices, ascending; `begin` and `end` are indices into them
/// @param atOnce  number of voxels whose series are read together, volume by volume, before their blocks are
///                processed; 0: each block reads its own
void forSeries(const Series<float>& bold, const std::vector<std::int64_t>& voxels, std::int64_t atOnce,
               const Progress& progress,
               const std::function<void(std::int64_t begin, std::int64_t end, SeriesRows& y)>& body);

/// The number of voxels that forSeries() reads together: 0 for a series in memory; for one on disk
/// (scratch_memory.h), of which every block would read nearly all pages, whole blocks that fill half of the
/// free memory.
std::int64_t voxelsAtOnce(const Series<float>& bold);

}  // namespace sulcus::activation
