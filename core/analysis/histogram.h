#pragma once

#include "core/analysis/chart.h"

#include <optional>
#include <span>
#include <string>

namespace sulcus {

/// How densely values lie between their smallest and largest, as bars whose area is 1. None where there are
/// no two different ones; finite values only.
std::optional<Chart::Series> histogramBars(std::string name, std::span<const float> values);

}  // namespace sulcus
