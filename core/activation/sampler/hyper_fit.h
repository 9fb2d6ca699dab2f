#pragma once

#include "core/activation/sampler/gibbs_plan.h"
#include "core/base/progress.h"

#include <vector>

#include <Eigen/Core>

namespace sulcus::activation {

// The posterior of a group's hyper-parameters with the coefficients of the voxels integrated out. With many
// voxels it is nearly normal in these coordinates θ: Δ in β by rows, then for each row of the lower
// triangular F with V_β = F F' its elements within the block, ending with the logarithm of the diagonal
// element. β is that of HyperPrior here.

/// The hyper-parameters at a point θ.
struct HyperPoint {
  Eigen::MatrixXd delta;   ///< Δ, q × k
  Eigen::MatrixXd factor;  ///< F, k × k
};

/// Number of coordinates.
int hyperCoordinates(int q, const GroupPrior& prior);
HyperPoint hyperPointAt(const Eigen::VectorXd& theta, int q, const GroupPrior& prior);

/// Log density of the prior of θ, up to a constant.
double logHyperPrior(const HyperPoint& point, const GroupPrior& prior);

/// A normal approximation of the posterior of each group's θ: its mode for one draw of each voxel's σ², by
/// Newton's method, and the curvature there. Gives the same bits for any number of threads.
///
/// @return  empty if it fails in a group, or if there are more than kMostFitted regressors or 60 coordinates
std::vector<HyperFit> fitHyper(const GibbsProblem& problem, std::uint64_t seed, const Progress& progress);

inline constexpr int kMostFitted = 16;

/// Whether the groups are large enough for such an approximation to be good.
bool groupsAreLarge(const GibbsProblem& problem);

}  // namespace sulcus::activation
