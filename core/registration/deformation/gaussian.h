#pragma once

#include "core/base/progress.h"
#include "core/registration/deformation/vector_field.h"

#include <vector>

namespace sulcus::registration {

/// The weights of a Gaussian at −r…r with r = ⌈3σ⌉, which sum to 1. σ is in voxels; σ = 0 gives {1}.
std::vector<double> gaussianWeights(double sigma);

/// Smooths plane z of `from` along x and y into `to`, which may be the same field. The field is extended by
/// odd reflection about its border voxels, so that a border of 0 stays 0. Axes of one voxel are not smoothed.
///
/// @param weights  of gaussianWeights()
/// @param scratch  working memory, resized as needed
template <class Real>
void smoothPlane(const VectorField<Real>& from, VectorField<Real>& to, int z,
                 const std::vector<double>& weights, std::vector<Real>& scratch);

/// Computes to = momentum · to + `from` smoothed along z, extended as in smoothPlane(), on all threads.
/// `from` and `to` may be the same field if the momentum is 0.
///
/// @param weights         of gaussianWeights()
/// @param inverseSpacing  1/mm
/// @return                the largest length of a vector of `to`, each component divided by the spacing along
///                        it: in voxels if the field is in mm
template <class Real>
double smoothDepth(const VectorField<Real>& from, VectorField<Real>& to, double momentum,
                   const std::vector<double>& weights, const Vec3<Real>& inverseSpacing,
                   const Progress& progress);

/// The weights that smoothed() applies to the neighbors at −r…r along an axis of `size` voxels: {1} if it
/// does not smooth, that is, if there is one voxel or σ is 0.
std::vector<float> smoothingWeights(int size, double sigma);

/// An image smoothed by a Gaussian and extended by its border values.
///
/// @param image  one value per voxel, x fastest
/// @param sigma  along each axis, voxels
std::vector<float> smoothed(const std::vector<float>& image, const Vec3<int>& size, const Vec3<double>& sigma,
                            const Progress& progress);

}  // namespace sulcus::registration
