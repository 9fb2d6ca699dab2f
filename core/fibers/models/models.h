#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/models/models_kernel.h"
#include "core/math/vec3.h"

#include <span>

#include <Eigen/Core>

namespace sulcus::fibers {

/// A model whose tensor is a linear function of the transformed signal t (n directions): coefficients c = fit
/// · t, U tensor entries (tensor_index.h) = tensorFromCoefficients · c + offset, fitted t = predict · c.
/// Coefficients are real spherical harmonics in basis tournier07, in the axes of the directions.
struct LinearModel {
  SignalTransform transform = SignalTransform::ratio;
  Eigen::MatrixXd fit;                     // U × n
  Eigen::MatrixXd predict;                 // n × U
  Eigen::MatrixXd tensorFromCoefficients;  // U × U
  Eigen::VectorXd offset;                  // U
};

/// The linear models: adc, a least-squares fit of −ln(S/S0)/b; qball, Descoteaux et al., Magn Reson Med 58
/// (2007) 497; csa, Aganj et al., Magn Reson Med 64 (2010) 554. The last two have Laplace–Beltrami
/// regularization, λ = 0.006.
///
/// @param model       adc, qball or csa
/// @param directions  n unit vectors, at least U of them distinct (see distinctDirections)
LinearModel linearModel(FiberModel model, int order, std::span<const Vec3<double>> directions);

/// Number of directions that differ by more than 1°, with g and −g considered the same.
int distinctDirections(std::span<const Vec3<double>> directions);

/// Whether the values at the directions determine a function of this order: there must be as many distinct
/// directions as coefficients, and no such function may vanish at all of them.
bool determinesOrder(int order, std::span<const Vec3<double>> directions);

/// The ratios S/S0, weighted.size() × voxels.size(), where S0 is the mean of the unweighted volumes, which
/// must be above 0.
///
/// @param unweighted, weighted  indices of volumes
/// @param voxels                grid indices
Eigen::MatrixXf signalRatios(const Series<float>& dwi, std::span<const int> unweighted,
                             std::span<const int> weighted, std::span<const std::int64_t> voxels);

}  // namespace sulcus::fibers
