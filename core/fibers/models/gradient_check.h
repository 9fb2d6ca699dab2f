#pragma once

#include "core/base/progress.h"
#include "core/image/grids/axis_change.h"
#include "core/image/volume.h"

#include <string>
#include <vector>

namespace sulcus::fibers {

/// A change of the axes of a gradient table that was tried.
struct TriedAxes {
  AxisChange change;
  double pathLength = 0;    ///< mean length (mm) of paths along the directions through the image
  std::string description;  ///< "as given", "x flipped", "x and y exchanged, z flipped"
};

/// The result of checkGradients().
struct GradientCheck {
  std::vector<TriedAxes> ranked;  ///< all 24, best first
  std::string recommendation;     ///< one sentence
  bool agrees = false;            ///< the given table is best, or no other is certainly better
};

/// Tries every flip and permutation of the image axes. With the correct one, paths that follow the principal
/// diffusion direction from voxel to voxel stay longest in anisotropic tissue (Jeurissen et al., Med Image
/// Anal 18 (2014) 953). Another one is recommended only if it makes them a tenth longer and the difference is
/// four standard errors, with blocks of 6³ voxels as observations.
///
/// @param dwi        as many volumes as `gradients` has rows
/// @param gradients  at least six directions, world axes
/// @throws Error if the table does not fit the series or has too few directions; Cancelled
GradientCheck checkGradients(const Series<float>& dwi, const GradientTable& gradients,
                             const Progress& progress = {});

}  // namespace sulcus::fibers
