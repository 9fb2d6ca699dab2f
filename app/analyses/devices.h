#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The GPUs of this machine, or why there is none.
DeviceReport deviceReport();
/// Chooses the CUDA device of later GPU runs; throws Error (unavailable) when there is none of that index.
void useDevice(int index);

}  // namespace sulcus::app::analyses
