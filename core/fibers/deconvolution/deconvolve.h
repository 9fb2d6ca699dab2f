#pragma once

#include "core/fibers/deconvolution/csd.h"

#include <Eigen/Core>

namespace sulcus::fibers {

/// Spherical harmonics of the fiber distributions, U × voxels, from the ratios S/S0, n × voxels (symbols as
/// in csd.h).
Eigen::MatrixXf deconvolve(const CsdPlan& plan, const Eigen::MatrixXf& ratios);

}  // namespace sulcus::fibers
