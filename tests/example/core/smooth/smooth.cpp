#include "core/smooth/smooth.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/smooth/smooth_kernel.h"

namespace sulcus::smooth {

void requireImage(const SmoothInput& input) {
  if (!input.image || input.image->values.empty())
    throw Error("There is no image", "nothing can be smoothed", "give one");
}

Volume<float> smooth(const SmoothInput& input, const SmoothOptions& options, const Progress& progress) {
  requireImage(input);
  Volume<float> result(input.image->grid);
  parallelFor(result.grid.voxels(), 256, progress, [&](std::int64_t i) {
    result.values[std::size_t(i)] = meanAround(input.image->volume(0), i, options.radius);
  });
  return result;
}

}  // namespace sulcus::smooth
