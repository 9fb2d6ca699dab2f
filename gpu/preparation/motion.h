#pragma once

#include "core/preparation/motion.h"

namespace sulcus::gpu::preparation {

/// The realigned series by the GPU, with the bits of the CPU. What it throws: see RealignSeries; Error
/// (unavailable) without a GPU or where its memory does not hold the series four times.
sulcus::preparation::RealignSeries realignSeries;

}  // namespace sulcus::gpu::preparation
