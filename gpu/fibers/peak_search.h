#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/peaks/peaks_kernel.h"
#include "gpu/fibers/columns.h"
#include "gpu/runtime/buffer.h"

#include <cstdint>

// The search for peaks on the device, from tensors to maps in device memory.

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// Sums over the voxels of a search.
struct PeakTotals {
  unsigned long long voxels, notFinite, degenerate, iterations, notConverged;
};

/// Device memory of the voxels searched together. One row per map, `capacity` long, one column per voxel.
struct PeakSlab {
  std::int64_t capacity = 0;
  int order = 0, maxPeaks = 0;
  Buffer<float> tensors;     ///< in: tensorEntries(order) rows
  Buffer<float> prepared;    ///< capacity × (4 + padded entries), voxel by voxel
  Buffer<float> peaks;       ///< 3·maxPeaks rows: unit direction × amplitude, largest first, NaN = none
  Buffer<float> amplitude;   ///< of the largest peak; 0 if there is none
  Buffer<float> count;       ///< number of peaks
  Buffer<float> iterations;  ///< mean over the starts
  Buffer<PeakTotals> totals;

  PeakSlab(std::int64_t voxels, int order, const FiberOptions& options, const Stream& stream);

  /// Bytes of device memory per voxel: 4 (U + 4 + U rounded up to a multiple of float4 + 3·maxPeaks + 3).
  static std::int64_t bytesPerVoxel(int order, const FiberOptions& options);
};

/// The starting directions on the device: x, y and z of each unit vector.
Buffer<float> uploadStarts(const FiberOptions& options, const Stream& stream);
/// Bytes of device memory of uploadStarts' buffer.
std::int64_t startBytes(const FiberOptions& options);

/// Queues resetting the totals to 0.
void clearTotals(PeakSlab& slab, const Stream& stream);

/// Where the search starts, and the cut of each column, see AmplitudeCut::at().
struct PeakInput {
  const Buffer<float>& starts;  ///< from uploadStarts()
  AmplitudeCut cut;
  const float* residual = nullptr;  ///< of the fit; null: 0
  const float* spread = nullptr;    ///< standard deviation of S/S0; null: 0
};

/// Queues the search of columns [begin, end) of the slab, like sulcus::findPeaks: scaling, search from all
/// starts, selection. Adds to the totals.
void searchPeaks(PeakSlab& slab, std::int64_t begin, std::int64_t end, const PeakInput& input,
                 const FiberOptions& options, const Stream& stream);

}  // namespace sulcus::gpu::fibers
