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

/// Launches K regressors and up to Q covariates, for voxels with or without a precision of their own. Its
/// code is large: a few are compiled in each of gibbs_fixed_few.cu, gibbs_fixed_many.cu, those with
/// covariates besides 1 and those of correlated voxels, for Q = 1 and for Q = kMostFixedCovariates.
template <int K, int Q, bool Correlated>
void launchFixed(const GibbsJob& job, int first, int last, const Stream& stream);

}  // namespace sulcus::gpu::activation
