#pragma once

#include "core/preparation/preparation.h"
#include "gpu/preparation/distortion.h"
#include "gpu/preparation/motion.h"

namespace sulcus::gpu::preparation {

/// The steps of a preparation on the GPU, with the bits of the CPU.
inline constexpr sulcus::preparation::PreparationSteps kOnDevice{realignSeries, findDistortion};

}  // namespace sulcus::gpu::preparation
