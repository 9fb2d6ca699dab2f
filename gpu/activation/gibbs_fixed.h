#pragma once

#include "gpu/activation/gibbs_job.h"

namespace sulcus::gpu {

/// Largest numbers that have code made to measure.
inline constexpr int kMostFixedRegressors = 8, kMostFixedCovariates = 4;
/// Of a block.
inline constexpr int kFixedThreads = 512;

inline bool hasFixed(int k, int q) { return k <= kMostFixedRegressors && q <= kMostFixedCovariates; }

/// runGibbs() with philox where hasFixed(); runs that have covariates besides 1 are compiled apart.
void runFixed(const GibbsJob& job, int first, int last, const Stream& stream);
void runFixedWithCovariates(const GibbsJob& job, int first, int last, const Stream& stream);

}  // namespace sulcus::gpu
