#pragma once

#include "core/base/progress.h"
#include "core/fibers/fibers.h"

#include <cstdint>

namespace sulcus {

/// The maxima of the forms of a tensor image.
struct PeakMaps {
  Series<float> peaks;       ///< 3·maxPeaks volumes: unit direction × amplitude, largest first, NaN = none
  Volume<float> amplitude;   ///< of the largest peak; 0 where there is none
  Volume<float> count;       ///< number of peaks
  Volume<float> iterations;  ///< evaluations of the form per start, mean over the starts
  std::int64_t voxels = 0;   ///< worked on
  std::int64_t notFinite = 0;        ///< valid, but with entries that are NaN or infinite: skipped
  std::int64_t degenerate = 0;       ///< worked on, without an isolated maximum (isotropic or ring)
  std::int64_t totalIterations = 0;  ///< over all voxels and starts
  std::int64_t notConverged = 0;     ///< starts that were dropped
};

/// Finds the maxima on the sphere of f(g) = A gᵐ in every voxel.
///
/// A peak is a strict local maximum; of f(g) = f(−g) the direction with z ≥ 0 is reported. Peaks smaller than
/// lo + relativeThreshold · (max − lo) are dropped, with lo = max(0, min f) and min f the smallest value over
/// the starting directions.
///
/// @param tensor   6, 15, 28 or 45 volumes in the order of tensor_index.h; the order follows from the count
/// @param valid    on the same grid; other voxels get NaN peaks and 0 elsewhere
/// @throws Error for another number of volumes; Cancelled
PeakMaps findPeaks(const Series<float>& tensor, const Mask& valid, const FiberOptions& options,
                   const Progress& progress);

/// What findPeaks does between two looks at Progress, a few ms each: at most so many starts, and at most so
/// many voxels. One start is not interrupted: with 10 000 iterations of the general search it takes 0.1 s.
struct SearchShare {
  std::int64_t voxels;
  int starts;
};
SearchShare searchShare(const FiberOptions& options);

/// Operations of A x^(m−1) in the count of Ballard, Kolda & Plantenga: 140 at m = 4. For each of the three
/// components and each index class of order m − 1: m − 1 products, one with the multiplicity and one sum,
/// less one a class.
constexpr int paperFlops(int order) {
  const int classes = order * (order + 1) / 2;
  return classes * (3 * (order + 1) - 1);
}

/// Order of the tensors with that many entries; throws Error when it is not 2, 4, 6 or 8.
int orderOfEntries(int entries);

}  // namespace sulcus
