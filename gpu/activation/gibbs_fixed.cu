#include "gpu/activation/gibbs_fixed.cuh"

namespace sulcus::gpu {

void runFixed(const GibbsJob& job, int first, int last, const Stream& stream) {
  if (job.q > 1) return runFixedWithCovariates(job, first, last, stream);
  launchFixed<kMostFixedRegressors, 1>(job, first, last, stream);
}

}  // namespace sulcus::gpu
