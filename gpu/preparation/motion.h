#pragma once

#include "core/preparation/motion.h"

namespace sulcus::gpu::preparation {

/// The realigned series on the GPU, with the bits of the CPU. Throws as RealignSeries does, and Error
/// (unavailable) without a GPU or if its memory does not hold the series four times.
sulcus::preparation::RealignSeries realignSeries;

}  // namespace sulcus::gpu::preparation
