#pragma once

#include "core/fibers/fibers.h"
#include "core/fibers/models_body.h"
#include "core/math/vec3.h"

#include <span>

#include <Eigen/Core>

namespace sulcus {

/// A model whose tensor is a linear function of the transformed signal t (n directions, U tensor entries):
/// coefficients c = fit · t, tensor entries = tensorFromCoefficients · c + offset, t as fitted = predict · c.
/// Coefficients are real spherical harmonics in basis tournier07.
struct LinearModel {
  SignalTransform transform = SignalTransform::ratio;
  Eigen::MatrixXd fit;                     // U × n
  Eigen::MatrixXd predict;                 // n × U
  Eigen::MatrixXd tensorFromCoefficients;  // U × U
  Eigen::VectorXd offset;                  // U
};

/// adc: least squares fit of −ln(S/S0)/b. qball: Descoteaux et al., Magn Reson Med 58 (2007) 497.
/// csa: Aganj et al., Magn Reson Med 64 (2010) 554. Both with Laplace–Beltrami smoothing λ = 0.006.
///
/// @param model       adc, qball or csa
/// @param directions  unit, at least U of them distinct (see distinctDirections)
LinearModel linearModel(FiberModel model, int order, std::span<const Vec3<double>> directions);

/// Number of directions that differ by more than 1°, g and −g being the same.
int distinctDirections(std::span<const Vec3<double>> directions);

/// Whether functions of this order are determined by their values at the directions: as many distinct ones as
/// coefficients, not on a curve that such a function can vanish on.
bool determinesOrder(int order, std::span<const Vec3<double>> directions);

/// S/S0 with S0 the mean of the unweighted volumes: weighted.size() × voxels.size(). S0 must be above 0.
Eigen::MatrixXf signalRatios(const Series<float>& dwi, std::span<const int> unweighted,
                             std::span<const int> weighted, std::span<const std::int64_t> voxels);

}  // namespace sulcus
