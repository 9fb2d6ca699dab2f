#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace sulcus::app {

/// THE table: every analysis Sulcus has, in the order of its tabs. A new analysis is one more row in
/// analyses.cpp.
const std::vector<Analysis>& analyses();

/// The GPUs of this machine, or why there is none.
DeviceReport deviceReport();
/// Chooses the CUDA device of later GPU runs; throws Error (unavailable) when there is none of that index.
void useDevice(int index);

}  // namespace sulcus::app
