#pragma once

#include "core/registration/deformation/pyramid.h"
#include "core/registration/linear/linear_measure.h"
#include "core/registration/registration.h"

namespace sulcus::registration {

/// Pre-alignment by mutual information or correlation ratio (linear_information.h), so that the contrasts may
/// differ: starts from many rotations and shifts about the centers of mass, first over rigid and then, for
/// LinearAlignment::affine, over general linear maps, coarse to fine. With an initial map it starts only
/// there, over rigid maps from its rigid part and over general ones from the whole map. Voxels are up to a
/// fifth and finally a twentieth of the object's radius wide, so that neither time nor error depends on the
/// number of voxels. Two planes are aligned within their plane. Exchanging the images inverts the map.
///
/// @throws Error  also for planes at more than 45° to each other, for an initial map that mirrors, and if the
///                map changes volumes too much
AlignLinearly alignLinearly;

/// The most expensive steps of a pre-alignment, by default on the CPU. Those of a GPU give the same bits.
struct LinearSteps {
  Coarsen* coarsened = registration::coarsened;
  MakeMeasure* measureOf = registration::measureOf;
};

/// Two images, and where each is compared.
struct LinearPair {
  const Series<float>& templateImage;
  const Series<float>& reference;
  const LinearMasks& masks;
};

/// alignLinearly() with steps given by the caller, such as a GPU's.
Affine alignLinearlyBy(const LinearSteps& steps, const LinearPair& images, const LinearOptions& options,
                       const std::optional<Affine>& initial, const Progress& progress);

}  // namespace sulcus::registration
