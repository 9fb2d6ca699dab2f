#pragma once

#include "core/registration/deformation/pyramid.h"
#include "core/registration/linear/linear_measure.h"
#include "core/registration/registration.h"

namespace sulcus::registration {

/// Pre-alignment by mutual information or correlation ratio (linear_information.h), so that the contrasts
/// may differ: from many turns and shifts about the centers of mass on, first over rigid and then, for
/// LinearAlignment::affine, over general linear maps, coarse to fine. With an initial map it starts there
/// alone, over rigid maps from its rigid part, and over general ones from all of it. Voxels are up to a fifth
/// and at last a twentieth of the object's radius wide, so that neither time nor error depends on the number
/// of voxels. Two planes are aligned within their plane. Exchanging the images inverts the map.
///
/// @throws Error  also for planes at more than 45° to each other, for an initial map that mirrors, and when
///                the map changes volumes too much
AlignLinearly alignLinearly;

/// The steps of a pre-alignment that cost most, by default the processor's. A GPU's leave the same bits.
struct LinearSteps {
  Coarsen* coarsened = registration::coarsened;
  MakeMeasure* measureOf = registration::measureOf;
};

/// alignLinearly() by steps that the caller gives, such as a GPU's.
Affine alignLinearlyBy(const LinearSteps& steps, const Series<float>& templateImage,
                       const Series<float>& reference, const LinearMasks& masks, const LinearOptions& options,
                       const std::optional<Affine>& initial, const Progress& progress);

}  // namespace sulcus::registration
