#pragma once

#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/affine.h"

namespace sulcus::fibers {

/// The square matrix that converts the coefficients of a function from a frame to world axes: its value at g
/// in the frame is its value at worldFromFrame g in the world.
/// @param worldFromFrame  orthonormal; reflections are allowed
Eigen::MatrixXd shFrameChange(int order, ShBasis basis, const Affine& worldFromFrame);

}  // namespace sulcus::fibers
