#pragma once

#include "core/base/progress.h"
#include "core/preparation/distortion/distortion.h"
#include "core/preparation/distortion/distortion_kernel.h"

// How the field is found, the same for CPU and GPU: the sweeps over all columns are handed in.
namespace sulcus::preparation {

/// Steps all columns, first those of one color of a chessboard, then the others; `sweeps` times. Leaves the
/// same bits on every processor. Throws Cancelled.
using SweepColumns = void(const SweepView& view, int sweeps, const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
SweepColumns sweepColumns;

/// findDistortion() by sweeps that the caller gives.
DistortionField findDistortionBy(SweepColumns& sweep, const EpiImage& first, const EpiImage& second,
                                 const Progress& progress);

/// The median of the field over the voxels that are brighter than the mean. Where the head may lie anywhere
/// an even field and a shift of the head along the axis look alike, and this is taken for 0.
float medianInHead(const Volume<float>& field, const Volume<float>& image);

}  // namespace sulcus::preparation
