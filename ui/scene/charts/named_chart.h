#pragma once

#include "core/analysis/chart.h"

#include <string>

namespace sulcus::ui::scene {

/// A chart among those that are drawn over each other.
struct NamedChart {
  std::string run;  ///< whose it is, e.g. "CPU"; "" when it is alone
  Chart chart;
};

}  // namespace sulcus::ui::scene
