#include "gpu/activation/gibbs_fixed.cuh"

namespace sulcus::gpu {

void runFixedWithCovariates(const GibbsJob& job, int first, int last, const Stream& stream) {
  launchFixed<kMostFixedRegressors, kMostFixedCovariates>(job, first, last, stream);
}

}  // namespace sulcus::gpu
