#pragma once

#include "core/activation/sampler/gibbs.h"
#include "core/image/grid.h"

namespace sulcus::activation {

/// Host memory that sampleGibbs() takes in bytes, with its result and without the problem. Only the counts of
/// the problem are read: regressors, covariates, voxels, groups, and whether it is correlated. mt19937
/// takes 2.5 kB for each voxel and chain.
double gibbsBytes(const GibbsProblem& problem, const GibbsOptions& options);

/// Host memory that analyzeActivation() takes in addition to its input, in bytes: the problem, gibbsBytes(),
/// the posterior, and the maps of `contrasts` contrasts on `grid`. Saved draws are not counted, see
/// drawBytes().
double activationBytes(const GibbsProblem& problem, const GibbsOptions& options, const Grid& grid,
                       int contrasts);

}  // namespace sulcus::activation
