#pragma once

#include "core/base/progress.h"
#include "core/fibers/fibers.h"
#include "core/fibers/peaks/peaks_kernel.h"

#include <cstdint>

namespace sulcus::fibers {

/// The maxima of the forms of a tensor image, on its grid.
struct PeakMaps {
  Series<float> peaks;       ///< 3·maxPeaks volumes: unit direction × amplitude, largest first, NaN = none
  Volume<float> amplitude;   ///< of the largest peak; 0 if there is none
  Volume<float> count;       ///< number of peaks
  Volume<float> iterations;  ///< evaluations of the form per start, mean over the starts
  std::int64_t voxels = 0;   ///< number of voxels that were searched
  std::int64_t notFinite = 0;        ///< valid voxels skipped because an entry is NaN or infinite
  std::int64_t degenerate = 0;       ///< searched voxels without an isolated maximum (constant or a ring)
  std::int64_t totalIterations = 0;  ///< sum over all voxels and starts
  std::int64_t notConverged = 0;     ///< number of starts that did not converge
};

/// The amplitudes below which the peaks of voxels are dropped.
struct VoxelCuts {
  AmplitudeCut cut;
  const Volume<float>* residual = nullptr;  ///< of the fit of each voxel; null: 0
  const Volume<float>* spread = nullptr;    ///< standard deviation of S/S0 of each voxel; null: 0

  float at(std::int64_t voxel) const;
};

/// Finds the maxima of f(g) = A gᵐ on the sphere in every voxel.
///
/// A peak is a strict local maximum. As f(g) = f(−g), the direction with z ≥ 0 is reported. Peaks smaller
/// than lo + relativeThreshold · (max − lo) are dropped, where lo = max(0, min f) and min f is the smallest
/// value over the starting directions.
///
/// @param tensor  tensorEntries(order) volumes in the order of tensor_index.h, world axes; their number gives
///                the order
/// @param valid   mask on the same grid; other voxels get NaN peaks and 0 in the other maps
/// @throws Error for another number of volumes; Cancelled
PeakMaps findPeaks(const Series<float>& tensor, const Mask& valid, const FiberOptions& options,
                   const Progress& progress, const VoxelCuts& cuts = {});

/// Estimated number of evaluations of the form per start until convergence, for dividing the work.
double usualEvaluations(const FiberOptions& options);

/// The largest numbers of voxels and of starts of a voxel that are searched between two checks of Progress;
/// they take a few ms.
struct SearchBatch {
  std::int64_t voxels;
  int starts;
};
SearchBatch searchBatch(const FiberOptions& options);

/// The order of a tensor with this number of entries; throws Error if it is not 2, 4, … 12.
int orderOfEntries(int entries);

}  // namespace sulcus::fibers
