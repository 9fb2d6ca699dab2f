#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace sulcus::app::analyses {

/// Every analysis that Sulcus has, in the order of the tabs. A new analysis is one more row of table.cpp.
const std::vector<Analysis>& table();

}  // namespace sulcus::app::analyses
