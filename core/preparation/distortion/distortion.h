#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/image/phase_encoding.h"
#include "core/image/volume.h"

#include <string>
#include <vector>

// Distortion of echo-planar images along their phase-encoding axis, which an uneven magnetic field makes.
namespace sulcus::preparation {

/// An image and how it was encoded.
struct EpiImage {
  Volume<float> image;
  PhaseEncoding encoding;
  /// How far its signal is that of the other image, but for the field: the field is the smoother the less.
  double sure = 1;
};

/// The field that distorts images.
struct DistortionField {
  Volume<float> hertz;  ///< off the mean frequency, where the undistorted head is
  Notes notes;
};

/// Finds the field by two images that it distorts differently, such as with opposite phase encoding: the same
/// signal must lie between the shifted faces of each voxel in both. Gauss-Newton steps of column after
/// column, neighbors staying alike, from coarse to fine. A head that moved between the images is realigned.
/// The result is the same for any number of threads.
///
/// @param first, second  on one grid, encoded along one axis
/// @throws Error  for images on different grids, that are encoded along different axes or alike, without
/// signal;
///                Cancelled
/// Ruthotto et al., Physics in Medicine and Biology 57 (2012) 5715, minimize the same difference and keep
/// signal, too.
using FindDistortion = DistortionField(const EpiImage& first, const EpiImage& second,
                                       const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
FindDistortion findDistortion;

}  // namespace sulcus::preparation
