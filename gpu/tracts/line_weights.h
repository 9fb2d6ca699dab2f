#pragma once

#include "core/tracts/line_weights.h"

namespace sulcus::gpu::tracts {
using namespace sulcus::tracts;

/// On the first of the chosen CUDA devices; throws Error (unavailable) if there is none or its memory does
/// not suffice.
FitWeights fitWeights;

}  // namespace sulcus::gpu::tracts
