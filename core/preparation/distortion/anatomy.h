#pragma once

#include "core/base/progress.h"
#include "core/preparation/distortion/distortion.h"

namespace sulcus::preparation {

/// Finds the field by an image of the same head that no field distorts, such as its T1 scan, of any contrast
/// and on any grid. In turn, until nothing moves further: the anatomy is aligned, rigidly and by mutual
/// information, with the image as it is straightened so far; it is given the contrast of that, which is the
/// mean of the straightened image where the anatomy and its surroundings are as bright; and the field is
/// found that brings the signal of the image, which is kept, to where that shows it.
///
/// An even field is a shift of the head, which may lie anywhere: the field's median over the head is 0.
///
/// What anatomy and image do not share, such as where signal is lost near air, is not told by this: images of
/// opposite phase encoding or a field map say more.
///
/// A note says how much of the variance of the image the anatomy explains before and after.
///
/// @throws Error  as FindDistortion does, where the two cannot be aligned, and where the anatomy explains no
///                more of the image after than before; Cancelled
DistortionField findDistortionByAnatomy(const EpiImage& epi, const Volume<float>& anatomy,
                                        FindDistortion& find, const Progress& progress);

}  // namespace sulcus::preparation
