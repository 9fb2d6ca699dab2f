#pragma once

#include "core/registration/deformation/registration_level.h"

#include <vector>

namespace sulcus::registration {

// The first channel's template is displaced together with the bias term, see displaceTemplate(). Here is what
// further channels add.

/// T(x − u) of a channel, one value per voxel, and 0 where its images are not compared.
template <class Real>
void displaceChannel(const DisplacedTemplate<Real>& channel, TemplateGradient kind, std::vector<Real>& warped,
                     const Progress& progress);

/// Adds the force of a channel to that of the images: slope · ∇T(x − u), times the share.
///
/// @param slope  the result of SimilarityMeasure::replaceBySlope()
/// @param share  of the channel in the similarity
template <class Real>
void addChannelForce(const DisplacedTemplate<Real>& channel, TemplateGradient kind,
                     const std::vector<Real>& slope, double share, VectorField<Real>& imageForce,
                     const Progress& progress);

}  // namespace sulcus::registration
