#pragma once

#include "core/image/phase_encoding.h"
#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/preparation/motion_kernel.h"

#include <vector>

// Correction of images that a field distorts along their phase-encoding axis.
namespace sulcus::preparation {

/// The correction of images with the same encoding.
struct Unwarp {
  int axis = 1;
  std::vector<float> shift, width;  ///< one per voxel (UnwarpView)

  UnwarpView view() const { return {shift.data(), width.data(), axis}; }
};

/// @param hertz  on the grid of the images
Unwarp unwarpOf(const Volume<float>& hertz, const PhaseEncoding& encoding);

/// The field on another grid, by its position in the scanner; 0 where the field does not extend.
///
/// @param fieldFromGrid  maps positions on the grid to positions in the field, mm
Volume<float> fieldOn(const Volume<float>& hertz, const Grid& grid, const Affine& fieldFromGrid);

/// The corrected image, interpolated once by a cubic B-spline; NaN where the image does not extend.
Volume<float> unwarped(const Volume<float>& image, const Unwarp& unwarp);

}  // namespace sulcus::preparation
