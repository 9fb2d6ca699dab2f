#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// The GPUs of this machine with their free memory, for which each is started, or why there is none.
DeviceReport deviceReport();
/// The same without free memory: starts none.
DeviceReport listDevices();
/// Starts the chosen GPU; false where it does not start.
bool startDevice();
/// Chooses the CUDA device of later GPU runs; throws Error (unavailable) when there is none of that index.
void useDevice(int index);

}  // namespace sulcus::app::analyses
