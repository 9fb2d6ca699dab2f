#include "gpu/activation/gibbs_fixed.cuh"

namespace sulcus::gpu::activation {

template void launchFixed<1, kConstantOnly, kCorrelatedNoise>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<2, kConstantOnly, kCorrelatedNoise>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<3, kConstantOnly, kCorrelatedNoise>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<4, kConstantOnly, kCorrelatedNoise>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<5, kConstantOnly, kCorrelatedNoise>(const GibbsJob&, int, int, const Stream&);

}  // namespace sulcus::gpu::activation
