#include "gpu/activation/gibbs_fixed.h"

namespace sulcus::gpu::activation {
namespace {

template <int Q, int K = kMostFixedRegressors>
void launchFor(const GibbsJob& job, int first, int last, const Stream& stream) {
  if constexpr (K > 1)
    if (job.k < K) return launchFor<Q, K - 1>(job, first, last, stream);
  launchFixed<K, Q>(job, first, last, stream);
}

}  // namespace

void runFixed(const GibbsJob& job, int first, int last, const Stream& stream) {
  if (job.q > 1) return launchFor<kMostFixedCovariates>(job, first, last, stream);
  launchFor<1>(job, first, last, stream);
}

}  // namespace sulcus::gpu::activation
