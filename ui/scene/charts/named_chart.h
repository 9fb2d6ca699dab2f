#pragma once

#include "core/analysis/chart.h"

#include <string>

namespace sulcus::ui::scene {

/// One of several overlaid charts.
struct NamedChart {
  std::string run;  ///< the run it belongs to, e.g. "CPU"; "" if there is only one
  Chart chart;
};

}  // namespace sulcus::ui::scene
