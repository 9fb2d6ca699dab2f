#include "gpu/runtime/no_cuda.h"

#include "gpu/fibers/fibers.h"

namespace sulcus::gpu::fibers {

FiberMaps findFibers(const FiberInput&, const FiberOptions&, const Progress&) { refuse(); }
double fiberDeviceBytes(const FiberInput&, const FiberOptions&) { return 0; }

}  // namespace sulcus::gpu::fibers
