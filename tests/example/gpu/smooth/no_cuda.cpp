#include "gpu/runtime/no_cuda.h"

#include "gpu/smooth/smooth.h"

namespace sulcus::gpu::smooth {

Volume<float> smooth(const SmoothInput&, const SmoothOptions&, const Progress&) { refuse(); }
double smoothDeviceBytes(std::int64_t) { return 0; }

}  // namespace sulcus::gpu::smooth
