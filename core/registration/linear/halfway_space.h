#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/registration.h"
#include "core/registration/registration_plan.h"

namespace sulcus::registration {

// Symmetric registration: template and reference flow to the middle between them. The middle is a frame of
// its own, halfway along the pre-alignment, with a grid in which both images are interpolated alike; an
// analysis of change over time is misled when only one of them is (Reuter et al. 2012).

/// The frame in the middle; maps are of points, mm.
struct HalfwaySpace {
  Affine templateFromMiddle, referenceFromMiddle;
  Grid grid;
};

/// The middle of two images. Its grid follows the axes of the world, has the finer
/// spacing of both along each, and holds what both images cover; that of a plane is the reference's own,
/// moved.
///
/// @throws Error  when the pre-alignment has no half, or the images hardly overlap
HalfwaySpace halfwaySpaceOf(const Grid& templateGrid, const Grid& reference,
                            const Affine& templateFromReference);

/// The grid of the finest level: the reference's own, or the middle's with RegistrationOptions::symmetric.
/// That of a pre-alignment, which is not known yet, will be a little smaller or larger than this one, for
/// which the initial map or else the centers of both grids lie upon each other.
Grid gridOfFlow(const RegistrationInput& input, const RegistrationOptions& options);

/// The plan of a registration of the template onto the reference as both lie in the middle.
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

/// The displacement of the template onto the reference, from one through the middle to the other: u on the
/// reference's grid, mm along its voxel axes.
VectorField<float> joined(const HalfDisplacements& halves, const HalfwaySpace& middle, const Grid& reference,
                          const Progress& progress);

/// What the level is made of that displaces the reference: the images of `level` in exchanged roles, and the
/// landmarks of the reference.
LevelInput<float> exchanged(const PlannedLevel& level);

}  // namespace sulcus::registration
