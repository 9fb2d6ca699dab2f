#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/math/vec3.h"

#include <span>
#include <vector>

#include <Eigen/Core>

namespace sulcus::preparation {

/// The matrix that predicts each volume of a shell from the others; the diagonal is 0. It is the best linear
/// prediction (kriging with an unknown mean) of the signal of fibers in all directions, with noise.
///
/// @param directions  unit vectors, one per volume, at least two
/// @param b           of the shell, s/mm²; 0 predicts the mean of the others
Eigen::MatrixXf predictionByOthers(std::span<const Vec3<double>> directions, double b);

/// Predicts each volume from the other volumes of its group. Values that are not finite are replaced by the
/// mean of the others of the group; where there is none, the prediction is NaN.
///
/// @param groups    volumes that predict each other
/// @param matrices  one per group, from predictionByOthers()
Series<float> predictVolumes(const Series<float>& series, std::span<const std::vector<int>> groups,
                             std::span<const Eigen::MatrixXf> matrices, const Progress& progress);

}  // namespace sulcus::preparation
