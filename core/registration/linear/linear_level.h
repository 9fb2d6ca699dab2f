#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/linear/linear_alignment_kernel.h"
#include "core/registration/linear/linear_frame.h"

#include <vector>

namespace sulcus::registration {

/// One of the two images of a pre-alignment, at one level.
struct AlignLevel {
  Grid grid;
  std::vector<float> values;  ///< 0…1, see alignContent()
  /// One value per voxel, nonzero where the images are compared; empty: everywhere.
  std::vector<std::uint8_t> compared;
  BinRange<float> range;  ///< of the values
  Affine frameFromVoxel;
  std::vector<AlignSample> samples;  ///< positions that are compared with the other image
};

/// An image prepared for its pre-alignment: intensities relative to the range from the 0.001 quantile of the
/// image to the 0.999 quantile of its foreground, clamped to it. Otherwise single bright voxels would leave
/// few histogram bins for all others.
///
/// @param mask  limits the image to where it is compared; may be null
/// @throws Error  if the image is constant there; the message calls it `name`
AlignLevel alignContent(const Series<float>& image, const Mask* mask, const char* name,
                        const Progress& progress);

/// The voxel size and the number of samples of a level.
struct LevelSize {
  double edge;  ///< in radii; upper limit of the shortest edge of a voxel
  std::int64_t samples;
};

/// The levels of an image, from large to small voxels. Without a mask, samples are normally distributed with
/// the object's center and covariance, so that the middle of a head, which is the brain, counts more than its
/// surface. In a mask they are spread evenly.
std::vector<AlignLevel> alignLevels(AlignLevel content, const ObjectFrame& frame,
                                    const std::vector<LevelSize>& sizes, const Progress& progress,
                                    Coarsen& coarsen = coarsened);

}  // namespace sulcus::registration
