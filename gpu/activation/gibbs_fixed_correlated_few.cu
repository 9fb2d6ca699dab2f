#include "gpu/activation/gibbs_fixed.cuh"

namespace sulcus::gpu::activation {

template void launchFixed<1, 1, true>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<2, 1, true>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<3, 1, true>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<4, 1, true>(const GibbsJob&, int, int, const Stream&);
template void launchFixed<5, 1, true>(const GibbsJob&, int, int, const Stream&);

}  // namespace sulcus::gpu::activation
