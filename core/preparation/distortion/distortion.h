#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/image/phase_encoding.h"
#include "core/image/volume.h"

#include <string>
#include <vector>

// Distortion of echo-planar images along their phase-encoding axis, caused by an inhomogeneous magnetic
// field.
namespace sulcus::preparation {

/// An image and how it was encoded.
struct EpiImage {
  Volume<float> image;
  PhaseEncoding encoding;
  /// How well its signal matches that of the other image apart from the field; the lower, the smoother the
  /// field.
  double sure = 1;
};

/// The field that distorts images.
struct DistortionField {
  Volume<float> hertz;  ///< relative to the mean frequency, at the undistorted position of the head
  Notes notes;
};

/// Finds the field from two images that it distorts differently, such as with opposite phase encoding:
/// between the shifted faces of each voxel, both must have the same signal. Gauss-Newton steps of one column
/// after another, coupled to similar neighbors, from coarse to fine. A head that moved between the images is
/// realigned. The result is the same for any number of threads.
///
/// @param first, second  on one grid, encoded along one axis
/// @throws Error  for images on different grids, encoded along different axes or identically, or without
///                signal; Cancelled
/// Ruthotto et al., Physics in Medicine and Biology 57 (2012) 5715, minimize the same difference and also
/// preserve signal.
using FindDistortion = DistortionField(const EpiImage& first, const EpiImage& second,
                                       const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
FindDistortion findDistortion;

}  // namespace sulcus::preparation
