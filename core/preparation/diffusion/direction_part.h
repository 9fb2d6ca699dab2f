#pragma once

#include "core/math/vec3.h"

#include <span>
#include <vector>

#include <Eigen/Core>

namespace sulcus::preparation {

/// The part of motion parameters that goes with the direction of diffusion weighting as a quadratic form
/// without trace, as that of fibers does: no head moves so. What a volume differs by from its prediction
/// because of its direction passes for such motion.
///
/// Each parameter is a walk in time, noise and a form whose coefficients are normal, in proportions of
/// greatest likelihood; the form is what is expected of it then. Where it does not make the parameter much
/// more likely, the part is 0.
///
/// @param times       of the volumes, ascending, in volumes
/// @param directions  unit vectors, one per volume
/// @param parameters  a row for each volume
/// @return            of the same size; the mean of a column is 0
Eigen::MatrixXd directionPart(std::span<const int> times, std::span<const Vec3<double>> directions,
                              const Eigen::MatrixXd& parameters);

}  // namespace sulcus::preparation
