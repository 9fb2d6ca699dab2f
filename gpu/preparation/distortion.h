#pragma once

#include "core/preparation/distortion/distortion.h"

namespace sulcus::gpu::preparation {

/// The field by the GPU, with the bits of the CPU. What it throws: see FindDistortion; Error (unavailable)
/// without a GPU.
sulcus::preparation::FindDistortion findDistortion;

}  // namespace sulcus::gpu::preparation
