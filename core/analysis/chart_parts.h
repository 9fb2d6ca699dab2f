#pragma once

#include "core/analysis/chart.h"

#include <utility>

namespace sulcus {

/// A chart without content.
inline Chart emptyChart(std::string title, std::string xLabel, std::string yLabel) {
  Chart chart;
  chart.title = std::move(title);
  chart.xLabel = std::move(xLabel);
  chart.yLabel = std::move(yLabel);
  return chart;
}

/// A plot that does not follow the crosshair.
inline Plot fixedPlot(std::string name, Chart chart) {
  return {std::move(name), false, [chart = std::move(chart)](const Vec3<double>&) { return chart; }};
}

/// Vertical lines.
inline Chart::Series marksAt(std::string name, std::vector<double> x) {
  return {std::move(name), Chart::Kind::marks, std::move(x)};
}

}  // namespace sulcus
