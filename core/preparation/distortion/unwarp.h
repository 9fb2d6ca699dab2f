#pragma once

#include "core/image/phase_encoding.h"
#include "core/image/volume.h"
#include "core/math/affine.h"
#include "core/preparation/motion_kernel.h"

#include <vector>

// Images that a field distorts along their phase-encoding axis are taken back.
namespace sulcus::preparation {

/// How images that are encoded alike are taken back.
struct Unwarp {
  int axis = 1;
  std::vector<float> shift, width;  ///< one per voxel (UnwarpView)

  UnwarpView view() const { return {shift.data(), width.data(), axis}; }
};

/// @param hertz  on the grid of the images
Unwarp unwarpOf(const Volume<float>& hertz, const PhaseEncoding& encoding);

/// The field on another grid, by its place in the scanner: 0 where the field does not reach to.
///
/// @param fieldFromGrid  where a place of the grid lies in the field, mm
Volume<float> fieldOn(const Volume<float>& hertz, const Grid& grid, const Affine& fieldFromGrid);

/// An image taken back, with one interpolation by a cubic B-spline; NaN where it does not reach to.
Volume<float> unwarped(const Volume<float>& image, const Unwarp& unwarp);

}  // namespace sulcus::preparation
