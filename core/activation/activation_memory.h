#pragma once

#include "core/activation/gibbs.h"
#include "core/image/grid.h"

namespace sulcus {

/// Memory of this computer that sampleGibbs() takes, its result included, the problem not, in bytes. Of a
/// problem only its counts are read: regressors, covariates, voxels, groups. mt19937 alone takes 2.5 kB for
/// each voxel and chain.
double gibbsBytes(const GibbsProblem& problem, const GibbsOptions& options);

/// Memory of this computer that analyzeActivation() takes beside its input, in bytes: the problem, what
/// sampleGibbs() takes, the posterior, and maps of so many contrasts on `grid`. Draws that are saved come on
/// top, see drawBytes().
double activationBytes(const GibbsProblem& problem, const GibbsOptions& options, const Grid& grid,
                       int contrasts);

}  // namespace sulcus
