#pragma once

#include "core/preparation/distortion/distortion.h"

namespace sulcus::gpu::preparation {

/// The field on the GPU, with the bits of the CPU. Throws as FindDistortion does, and Error (unavailable)
/// without a GPU.
sulcus::preparation::FindDistortion findDistortion;

}  // namespace sulcus::gpu::preparation
