#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/registration_plan.h"

#include <cstdint>
#include <memory>
#include <vector>

// A mask of the template moves with the template: with the pre-alignment to the grid of the levels, and at
// the beginning of each level with the displacement found so far.
namespace sulcus::registration {

/// The image with values outside of the mask replaced by the mean of their neighborhood, voxel by voxel from
/// its border to a depth of 16, so that what lies outside affects neither values nor gradients inside.
///
/// @param mask  on the grid of the image; values 0 and 1
std::shared_ptr<const Series<float>> continuedBeyond(const Mask& mask, const Series<float>& image,
                                                     const Progress& progress);

/// One value per voxel of `grid`: nonzero where most of what is interpolated from the template lies in the
/// mask, or outside of the template.
///
/// @param mask                   on the template's grid
/// @param templateFromReference  from the world of `grid` to that of the template
std::vector<std::uint8_t> templateVoxels(const Mask& mask, const Grid& grid,
                                         const Affine& templateFromReference, const Progress& progress);

/// The level, with its images compared only where the displaced PlannedLevel::templateVoxels lie.
///
/// @param u       displacement of the template, mm along the voxel axes, of the level or of the next coarser
///                one
/// @throws Error  if none are left
PlannedLevel withTemplateMask(const PlannedLevel& level, const VectorField<float>& u,
                              const Progress& progress);

}  // namespace sulcus::registration
