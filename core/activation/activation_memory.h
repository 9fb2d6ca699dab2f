#pragma once

#include "core/activation/sampler/gibbs.h"
#include "core/image/grid.h"

namespace sulcus::activation {

/// Host memory of sampleGibbs() in bytes, including its result but not the problem. Only the sizes of the
/// problem are used: regressors, covariates, voxels, groups, and whether it is correlated.
double gibbsBytes(const GibbsProblem& problem, const GibbsOptions& options);

/// Host memory of analyzeActivation() in addition to its input, in bytes: the problem, gibbsBytes(), the
/// posterior, and the maps of `contrasts` contrasts on `grid`. Saved draws are not counted, see drawBytes().
double activationBytes(const GibbsProblem& problem, const GibbsOptions& options, const Grid& grid,
                       int contrasts);

}  // namespace sulcus::activation
