#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/registration.h"

#include <functional>
#include <type_traits>
#include <vector>

namespace sulcus::registration {

/// A function that is called with a finished plane z and the thread's working memory.
template <class Real>
using PlaneDone = std::function<void(int z, std::vector<Real>& scratch)>;

/// Converts the force of the images to the force of the energy: f − λ d, which is −∂E/∂u for the sum E over
/// the voxels, multiplied by Dhᵀ for RegistrationForce::descent. Voxels that may not move are unchanged.
///
/// @param u          mm along the voxel axes
/// @param spacing    mm
/// @param force      1/mm; on entry the force of the images as evaluate() gives it
/// @param planeDone  called after each plane, on the thread that made it
template <class Real>
void addBiasForce(const VectorField<Real>& u, const Vec3<double>& spacing, const RegistrationOptions& options,
                  VectorField<Real>& force, const Progress& progress,
                  const std::type_identity_t<PlaneDone<Real>>& planeDone);

}  // namespace sulcus::registration
