#include "gpu/activation/gibbs_fixed.h"

namespace sulcus::gpu::activation {
namespace {

template <int Q, bool Correlated, int K = kMostFixedRegressors>
void launchFor(const GibbsJob& job, int first, int last, const Stream& stream) {
  if constexpr (K > 1)
    if (job.k < K) return launchFor<Q, Correlated, K - 1>(job, first, last, stream);
  launchFixed<K, Q, Correlated>(job, first, last, stream);
}

template <bool Correlated>
void launch(const GibbsJob& job, int first, int last, const Stream& stream) {
  if (job.q > 1) return launchFor<kMostFixedCovariates, Correlated>(job, first, last, stream);
  launchFor<kConstantOnly, Correlated>(job, first, last, stream);
}

}  // namespace

void runFixed(const GibbsJob& job, int first, int last, const Stream& stream) {
  if (job.correlated()) return launch<kCorrelatedNoise>(job, first, last, stream);
  launch<kWhiteNoise>(job, first, last, stream);
}

}  // namespace sulcus::gpu::activation
