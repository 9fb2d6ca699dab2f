#pragma once

#include "core/surface/band_estimate.h"
#include "core/surface/surface.h"

namespace sulcus::gpu::surface {
using namespace sulcus::surface;

/// On the current CUDA device; the same lists as on the CPU. Throws Error (unavailable) if there is none.
FindNeighbors findNeighbors;
FlowOver flowOver;
DenoiseSurface denoiseSurface;

/// Bytes of device memory for a band.
double surfaceDeviceBytes(const BandEstimate& band, const SurfaceOptions& options);

}  // namespace sulcus::gpu::surface
