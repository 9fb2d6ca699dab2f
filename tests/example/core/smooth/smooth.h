#pragma once

#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/image/volume.h"

#include <memory>

namespace sulcus::smooth {

struct SmoothOptions {
  int radius = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(radius, numberOption("radius", "Radius", "voxels", {0, 5, 1},
                               "Each voxel becomes the mean of those at most this far along each axis."));
  }
};

struct SmoothInput {
  std::shared_ptr<const Series<float>> image;  ///< whose first volume is smoothed
};

/// The smoothed image, on the grid of the input. Throws Error without an image, and Cancelled.
using Smooth = Volume<float>(const SmoothInput&, const SmoothOptions&, const Progress&);
/// On the CPU.
Smooth smooth;

/// Throws Error if `input` contains no image.
void requireImage(const SmoothInput& input);

}  // namespace sulcus::smooth
