#pragma once

#include "core/image/diffusion/spherical_harmonics.h"
#include "core/math/affine.h"

namespace sulcus::fibers {

/// The square matrix with coefficients in world axes = matrix · coefficients in a frame, for the same
/// function: its value at g in the frame is its value at worldFromFrame g in the world.
/// @param worldFromFrame  orthonormal; reflections are allowed
Eigen::MatrixXd shFrameChange(int order, ShBasis basis, const Affine& worldFromFrame);

}  // namespace sulcus::fibers
