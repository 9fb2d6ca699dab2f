#pragma once

#include "core/base/progress.h"
#include "core/registration/registration.h"
#include "core/registration/vector_field.h"

#include <functional>
#include <type_traits>
#include <vector>

namespace sulcus {

/// Called with a plane z and scratch memory of the worker.
template <class Real>
using PlaneDone = std::function<void(int z, std::vector<Real>& scratch)>;

/// Turns the image force into −∂E/∂u (E the sum over voxels): f − λ d; for the descent force then into Dhᵀ of
/// it. Voxels that may not move are left at 0.
///
/// @param force      in: (T(x − u) − R) ∇T(x − u), see evaluate()
/// @param planeDone  called after each plane, on its worker
template <class Real>
void addBiasForce(const VectorField<Real>& u, const Vec3<double>& spacing, double lambda,
                  RegistrationForce kind, VectorField<Real>& force, const Progress& progress,
                  const std::type_identity_t<PlaneDone<Real>>& planeDone);

}  // namespace sulcus
