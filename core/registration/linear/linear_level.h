#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/linear/linear_alignment_kernel.h"
#include "core/registration/linear/linear_frame.h"

#include <vector>

namespace sulcus::registration {

/// One of the two images that are pre-aligned, at one level.
struct AlignLevel {
  Grid grid;
  std::vector<float> values;  ///< 0…1, see alignContent()
  /// One value per voxel, not 0 where the images are compared; empty where they are everywhere.
  std::vector<std::uint8_t> compared;
  BinRange<float> range;  ///< of the values
  Affine frameFromVoxel;
  std::vector<AlignSample> samples;  ///< places that are compared with the other image
};

/// An image prepared for its pre-alignment: intensities as shares of the range from the 0.001 quantile of the
/// image to the 0.999 quantile of its foreground, cut off at both. Single bright voxels would leave few bins
/// of the histogram for all others.
///
/// @param mask  limits the image to where it is compared; may be null
/// @throws Error  when the image is constant there; `name` is what it is called then
AlignLevel alignContent(const Series<float>& image, const Mask* mask, const char* name,
                        const Progress& progress);

/// The voxels and the number of samples of a level.
struct LevelSize {
  double edge;  ///< radii; the finest edge of a voxel is at most this
  std::int64_t samples;
};

/// The levels of an image, in descending order of their voxels. Without a mask samples are spread as a normal
/// distribution with the object's center and covariance: so the middle of a head, which is the brain, counts
/// more than its hull. In a mask they are spread evenly.
std::vector<AlignLevel> alignLevels(AlignLevel content, const ObjectFrame& frame,
                                    const std::vector<LevelSize>& sizes, const Progress& progress,
                                    Coarsen& coarsen = coarsened);

}  // namespace sulcus::registration
