#pragma once

#include "core/analysis/analysis.h"
#include "core/surface/surface_source.h"

#include <memory>
#include <vector>

// The inputs of surface denoising: layers in core's types.
namespace sulcus::app::analyses {

std::vector<InputSlot> surfaceSlots();

/// The one input that determines which surface is denoised.
///
/// @throws Error (usage) unless exactly one of mask, image, mesh and phi is given
surface::SurfaceSource surfaceSource(const AnalysisInputs& inputs);

/// Signed distance of the surface, mm, negative inside; a level set is used as it is.
///
/// @throws Error like surface::requireSurface(), also for an open mesh
Volume<float> distanceOf(const surface::SurfaceSource& source, const surface::SurfaceOptions& options,
                         const Progress& progress);

/// The surface of the input, without computing a distance: fast.
std::shared_ptr<const Mesh> contourOfInput(const surface::SurfaceSource& source,
                                           const surface::SurfaceOptions& options, const Progress& progress);

/// The true surface of a phantom, or null.
///
/// @param grid    of the input, which volumes must have; null if it has none
/// @throws Error  for layers without a surface and for those on another grid
std::shared_ptr<const Mesh> trueSurface(const AnalysisInputs& inputs, const Grid* grid,
                                        const Progress& progress);

}  // namespace sulcus::app::analyses
