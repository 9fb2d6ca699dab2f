#pragma once

#include "core/base/progress.h"
#include "core/preparation/distortion/distortion.h"

namespace sulcus::preparation {

/// Finds the field from an undistorted image of the same head, such as its T1 scan, of any contrast and on
/// any grid. Three steps are repeated until nothing changes: the anatomy is aligned, rigidly and by mutual
/// information, with the image as corrected so far; it is given the contrast of that image, the mean of the
/// corrected image where the anatomy and its surroundings have the same brightness; and the field is found
/// that moves the signal of the image, which is preserved, to where the anatomy shows it.
///
/// A homogeneous field is a shift of the head, whose position is arbitrary: the median of the field over the
/// head is 0.
///
/// Signal that anatomy and image do not share, for instance where it is lost near air, gives no information
/// here: images of opposite phase encoding or a field map are better.
///
/// @throws Error  as FindDistortion does, and if the two cannot be aligned; Cancelled
DistortionField findDistortionByAnatomy(const EpiImage& epi, const Volume<float>& anatomy,
                                        FindDistortion& find, const Progress& progress);

}  // namespace sulcus::preparation
