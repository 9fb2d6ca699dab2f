#include "gpu/activation/gibbs_fixed.cuh"

namespace sulcus::gpu::activation {

template void launchFixed<6, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);
template void launchFixed<7, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);
template void launchFixed<8, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);

}  // namespace sulcus::gpu::activation
