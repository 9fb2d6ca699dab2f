#pragma once

#include "core/activation/sampler/gibbs.h"

namespace sulcus::bench {

/// The sampler on the GPU, timed.
struct GpuSampling {
  double kernelSeconds = 0;    ///< by device events, all iterations in one launch
  double residentSeconds = 0;  ///< wall-clock time, problem and moments in device memory
  double transferSeconds = 0;  ///< wall-clock time, from host memory to host memory
  double deviceBytes = 0;
  activation::GibbsMoments moments;
};

/// Medians after a warm-up; throws Error if there is no GPU.
GpuSampling timeGpuSampling(const activation::GibbsProblem& problem, const activation::GibbsOptions& options);

}  // namespace sulcus::bench
