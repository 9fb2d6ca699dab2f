#pragma once

#include "gpu/activation/gibbs_job.h"

namespace sulcus::gpu::activation {
using namespace sulcus::activation;

/// Largest numbers that have code made to measure.
inline constexpr int kMostFixedRegressors = 8, kMostFixedCovariates = 4;
/// Threads of a block.
inline constexpr int kFixedThreads = 512;

inline bool hasFixed(int k, int q) { return k <= kMostFixedRegressors && q <= kMostFixedCovariates; }

/// runGibbs() with philox where hasFixed().
void runFixed(const GibbsJob& job, int first, int last, const Stream& stream);

/// The same for K regressors and up to Q covariates. Its code is large: a few are compiled in each of
/// gibbs_fixed_few.cu, gibbs_fixed_many.cu and those with covariates besides 1, for Q = 1 and for
/// Q = kMostFixedCovariates.
template <int K, int Q>
void launchFixed(const GibbsJob& job, int first, int last, const Stream& stream);

}  // namespace sulcus::gpu::activation
