#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace sulcus::app::analyses {

/// Every analysis that Sulcus has, in the order of the tabs. A new analysis is one more row of table.cpp.
const std::vector<Analysis>& table();

/// The GPUs of this machine, or why there is none.
DeviceReport deviceReport();
/// Chooses the CUDA device of later GPU runs; throws Error (unavailable) when there is none of that index.
void useDevice(int index);

}  // namespace sulcus::app::analyses
