#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/registration.h"
#include "core/registration/registration_plan.h"

namespace sulcus::registration {

// Symmetric registration: template and reference flow to the middle between them. The middle is a separate
// frame, halfway along the pre-alignment, with a grid in which both images are interpolated equally;
// interpolating only one of them would bias an analysis of change over time (Reuter et al. 2012).

/// The frame in the middle; maps are of points, mm.
struct HalfwaySpace {
  Affine templateFromMiddle, referenceFromMiddle;
  Grid grid;
};

/// The middle of two images. Its grid follows the axes of the world, has the finer spacing of both along
/// each, and covers what both images cover; for a plane it is the reference's own grid, moved.
///
/// @throws Error  if the pre-alignment has no square root, or the images hardly overlap
HalfwaySpace halfwaySpaceOf(const Grid& templateGrid, const Grid& reference,
                            const Affine& templateFromReference);

/// The grid of the finest level: the reference's own, or that of the middle with
/// RegistrationOptions::symmetric. As the pre-alignment is not known yet, the latter is computed for the
/// initial map, or else with the centers of both grids superimposed; the actual grid will be slightly smaller
/// or larger.
Grid gridOfFlow(const RegistrationInput& input, const RegistrationOptions& options);

/// The plan for registering the template to the reference, both placed in the middle.
RegistrationPlan planInHalfwaySpace(const RegistrationInput& input, const HalfwaySpace& middle,
                                    RegistrationOptions options, const PreparationSteps& steps,
                                    const Progress& progress);

/// The displacements of both images in the middle, mm along its voxel axes.
struct HalfDisplacements {
  VectorField<float> ofTemplate, ofReference;
  explicit HalfDisplacements(const Vec3<int>& size) : ofTemplate(size), ofReference(size) {}
  HalfDisplacements(VectorField<float> t, VectorField<float> r)
      : ofTemplate(std::move(t)), ofReference(std::move(r)) {}
};

/// The displacement of the template to the reference, composed of the two halves: u on the reference's grid,
/// mm along its voxel axes.
VectorField<float> joined(const HalfDisplacements& halves, const HalfwaySpace& middle, const Grid& reference,
                          const Progress& progress);

/// The input of the level that displaces the reference: the images of `level` with their roles exchanged, and
/// the landmarks of the reference.
LevelInput<float> exchanged(const PlannedLevel& level);

}  // namespace sulcus::registration
