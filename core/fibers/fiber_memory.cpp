#include "core/fibers/fiber_memory.h"

#include "core/fibers/fiber_choice.h"
#include "core/fibers/fiber_plan.h"
#include "core/fibers/models/missing_values.h"

namespace sulcus::fibers {

double fiberHostBytes(const FiberInput& input, const FiberOptions& options) {
  const FiberSizes sizes = fiberSizes(input, options);
  const double tissues = 2 * sizes.tissues();  // volumes, and fractions of their sum
  const double results = sizes.entries() + tissues + 3 * options.maxPeaks + 5;  // floats per voxel
  const double working = 1 + 1 + 1 + 2 + 0.25;  // signal, spread, anisotropy, list of voxels, mask
  const bool isCopied = input.dwi && mayLackValues(*input.dwi, input.mask.get());
  const double copied = isCopied ? input.dwi->count : 0;
  return 4 * double(imageOf(input).grid.voxels()) * (results + working + copied);
}

}  // namespace sulcus::fibers
