#pragma once

#include "core/base/progress.h"
#include "core/registration/vector_field.h"

#include <vector>

namespace sulcus {

/// Weights of a Gaussian at −r…r, r = ⌈3σ⌉, summing to 1; σ in voxels. σ = 0: {1}.
std::vector<double> gaussianWeights(double sigma);

/// Smooths along x and y one plane of `from` into `to` (in place is allowed), continued oddly about the
/// border voxels: what is 0 there stays 0. Axes of one voxel are left as they are. `scratch` is resized as
/// needed.
template <class Real>
void smoothPlaneOddly(const VectorField<Real>& from, VectorField<Real>& to, int z,
                      const std::vector<double>& weights, std::vector<Real>& scratch);

/// to = momentum · to + `from` smoothed along z, likewise, on all threads; `from` and `to` may be the same
/// where the momentum is 0.
///
/// @param inverseSpacing  1/mm
/// @return the largest length of a vector of `to` in voxels: of (v.x/spacing.x, v.y/spacing.y, v.z/spacing.z)
template <class Real>
double smoothDepthOddly(const VectorField<Real>& from, VectorField<Real>& to, double momentum,
                        const std::vector<double>& weights, const Vec3<Real>& inverseSpacing,
                        const Progress& progress);

/// Gaussian smoothing of an image, continued by its border values; σ in voxels of each axis.
std::vector<float> smoothed(std::vector<float> image, const Vec3<int>& size, const Vec3<double>& sigma,
                            const Progress& progress);

}  // namespace sulcus
