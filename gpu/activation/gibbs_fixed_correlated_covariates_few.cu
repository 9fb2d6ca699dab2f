#include "gpu/activation/gibbs_fixed.cuh"

namespace sulcus::gpu::activation {

template void launchFixed<1, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);
template void launchFixed<2, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);
template void launchFixed<3, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);
template void launchFixed<4, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);
template void launchFixed<5, kMostFixedCovariates, kCorrelatedNoise>(const GibbsJob&, int, int,
                                                                     const Stream&);

}  // namespace sulcus::gpu::activation
