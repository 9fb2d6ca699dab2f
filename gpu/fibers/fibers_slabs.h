#pragma once

#include "core/fibers/fiber_plan.h"
#include "core/fibers/fibers.h"
#include "gpu/fibers/fit.h"
#include "gpu/fibers/peak_search.h"

#include <cstdint>

namespace sulcus::gpu::fibers {
using namespace sulcus::fibers;

/// All device memory of a run: data shared by the voxels, and a slab of voxels that are processed together.
struct FiberSlab {
  FitConstants constants;
  Buffer<float> starts;
  FitSlab fit;
  PeakSlab peaks;

  /// Uploads the shared data; throws Error (unavailable) if memory does not suffice.
  FiberSlab(std::int64_t voxels, const FiberPlan& plan, const FiberOptions& options, const Stream& stream);

  /// Bytes of its buffers: with U entries, n volumes and P peaks at most 4 (n + 4 U + 3 P + 12) bytes per
  /// voxel (1.1 kB for csd of order 8 with 70 volumes), in addition to the matrices and the starts.
  static std::int64_t bytes(std::int64_t voxels, const FiberSizes& sizes, const FiberOptions& options);
  static std::int64_t bytesPerVoxel(const FiberSizes& sizes, const FiberOptions& options);
};

/// For tests: findFibers with at most `slabVoxels` voxels on the device at once. The result does not depend
/// on it.
FiberMaps findFibersInSlabs(const FiberInput& input, const FiberOptions& options, const Progress& progress,
                            std::int64_t slabVoxels);

}  // namespace sulcus::gpu::fibers
