#include "gpu/activation/gibbs_fixed.cuh"

namespace sulcus::gpu::activation {

template void launchFixed<6, kConstantOnly, kWhiteNoise>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<7, kConstantOnly, kWhiteNoise>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<8, kConstantOnly, kWhiteNoise>(const GibbsJob&, int, int, const Stream&);

}  // namespace sulcus::gpu::activation
