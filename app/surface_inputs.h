#pragma once

#include "core/analysis/analysis.h"
#include "core/surface/surface.h"

#include <memory>
#include <string>
#include <vector>

// What surface denoising is given: layers as the core takes them.
namespace sulcus::app {

std::vector<InputSlot> surfaceSlots();

/// The one input that says which surface is denoised.
struct SurfaceChoice {
  enum class Kind { mask, image, mesh, phi };
  Kind kind = Kind::mask;
  LayerPtr layer;
};

/// @throws Error (usage) unless exactly one of mask, image, mesh and phi is given
SurfaceChoice surfaceChoice(const AnalysisInputs& inputs);

/// Labels of a layer, ascending, 0 apart; none where it holds other numbers than whole ones.
std::vector<std::int32_t> labelsOf(const Layer& layer);
/// "1, 2, 3", the first twelve.
std::string listed(const std::vector<std::int32_t>& labels);
/// Smallest and largest sound value (value_check.h); NaN both where there is none.
Range soundRange(const Layer& layer);

/// Throws Error for what has no surface: a layer of another kind or of several volumes, a mask that is empty
/// or full, a label that is not there (naming those that are), a threshold outside the image's range.
void requireSurface(const SurfaceChoice& choice, const SurfaceOptions& options);

/// The grid that the surface is worked on: that of the layer, or around a mesh with a margin for the band.
Grid gridFor(const SurfaceChoice& choice, const SurfaceOptions& options);

/// Signed distance of the surface, mm, negative inside; a level set is taken as it is.
///
/// @throws Error  also for an open mesh
Volume<float> distanceOf(const SurfaceChoice& choice, const SurfaceOptions& options,
                         const Progress& progress);

/// The surface as the input has it, without any distance: quick.
std::shared_ptr<const Mesh> contourOfInput(const SurfaceChoice& choice, const SurfaceOptions& options,
                                           const Progress& progress);

/// The true surface of a phantom, or null.
///
/// @param grid  of the input, which volumes must lie on; null where it has none
/// @throws Error  for layers that have no surface or lie elsewhere
std::shared_ptr<const Mesh> trueSurface(const AnalysisInputs& inputs, const Grid* grid,
                                        const Progress& progress);

}  // namespace sulcus::app
