#pragma once

#include "gpu/activation/gibbs_job.h"

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// Largest numbers with specialized code.
inline constexpr int kMostFixedRegressors = 8, kMostFixedCovariates = 4;
/// Q and Correlated of launchFixed(): no covariate besides the constant, and noise without and with memory.
inline constexpr int kConstantOnly = 1;
inline constexpr bool kWhiteNoise = false, kCorrelatedNoise = true;
/// Threads of a block.
inline constexpr int kFixedThreads = 512;

inline bool hasFixed(int k, int q) { return k <= kMostFixedRegressors && q <= kMostFixedCovariates; }

/// runGibbs() with philox, if hasFixed().
void runFixed(const GibbsJob& job, int first, int last, const Stream& stream);

/// Launches for K regressors and up to Q covariates, with or without a separate precision for each voxel. The
/// code is large: a few instances are compiled in each of gibbs_fixed_few.cu, gibbs_fixed_many.cu, those with
/// covariates besides 1 and those of correlated voxels, for Q = 1 and for Q = kMostFixedCovariates.
template <int K, int Q, bool Correlated>
void launchFixed(const GibbsJob& job, int first, int last, const Stream& stream);

}  // namespace sulcus::gpu::activation
