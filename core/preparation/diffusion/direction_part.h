#pragma once

#include "core/math/vec3.h"

#include <span>
#include <vector>

#include <Eigen/Core>

namespace sulcus::preparation {

/// The part of motion parameters that is a traceless quadratic form of the direction of diffusion weighting.
/// No head moves like that: it arises where a volume differs from its prediction because of its direction.
///
/// Model of a parameter: a random walk in time, white noise, and a quadratic form with normal coefficients.
/// Their variances are those of maximum likelihood on a grid; the part is the conditional expectation of the
/// form, or 0 if the form does not make the parameter clearly more likely.
///
/// @param times       of the volumes, ascending, in units of volumes
/// @param directions  unit vectors, one per volume
/// @param parameters  a row for each volume
/// @return            of the same size; the mean of a column is 0
Eigen::MatrixXd directionPart(std::span<const int> times, std::span<const Vec3<double>> directions,
                              const Eigen::MatrixXd& parameters);

}  // namespace sulcus::preparation
