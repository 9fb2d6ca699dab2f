#pragma once

#include "core/analysis/chart.h"

#include <optional>
#include <span>
#include <string>

namespace sulcus {

/// The density of values between their minimum and maximum, as bars of total area 1. Uses finite values only;
/// nullopt unless at least two differ.
std::optional<Chart::Series> histogramBars(std::string name, std::span<const float> values);

}  // namespace sulcus
