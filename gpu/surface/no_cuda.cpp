#include "gpu/runtime/no_cuda.h"

#include "gpu/surface/surface.h"

namespace sulcus::gpu::surface {

PatchNeighbors findNeighbors(const Band&, int, const Progress&) { refuse(); }
SurfaceFlow flowOver(const SurfaceSearch&, const SurfaceInput&, const SurfaceOptions&, const Progress&) {
  refuse();
}
SurfaceResult denoiseSurface(const SurfaceInput&, const SurfaceOptions&, const Progress&) { refuse(); }
double surfaceDeviceBytes(const BandEstimate&, const SurfaceOptions&) { return 0; }

}  // namespace sulcus::gpu::surface
