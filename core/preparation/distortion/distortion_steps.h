#pragma once

#include "core/base/progress.h"
#include "core/preparation/distortion/distortion.h"
#include "core/preparation/distortion/distortion_kernel.h"

// How the field is found, the same for CPU and GPU: the caller passes the sweeps over all columns.
namespace sulcus::preparation {

/// Steps all columns `sweeps` times, first those of one color of a checkerboard, then the others. Gives the
/// same bits on every processor. Throws Cancelled.
using SweepColumns = void(const SweepView& view, int sweeps, const Progress& progress);

/// On the CPU, on all threads of the withThreads() scope.
SweepColumns sweepColumns;

/// findDistortion() with the given sweeps.
DistortionField findDistortionBy(SweepColumns& sweep, const EpiImage& first, const EpiImage& second,
                                 const Progress& progress);

/// The median of the field over the voxels brighter than the mean. It is set to 0, since a homogeneous field
/// and a shift of the head along the axis look alike.
float medianInHead(const Volume<float>& field, const Volume<float>& image);

}  // namespace sulcus::preparation
