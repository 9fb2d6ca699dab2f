#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace sulcus::app::analyses {

/// The GPUs of this machine with their free memory, for which each is started, or why there is none.
DeviceReport deviceReport();
/// Lists the GPUs without their free memory, which starts none of them.
DeviceReport listDevices();
/// Starts the chosen GPUs; false if one does not start.
bool startDevices();
/// Chooses the CUDA devices of later GPU runs, see gpu::useDevices().
void useDevices(const std::vector<int>& numbers);

}  // namespace sulcus::app::analyses
