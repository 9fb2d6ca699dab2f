#pragma once

#include "core/analysis/chart.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Charts as SVG, for figures in files and pages.

namespace sulcus::bench {

/// The layout of an axis. Ends that are not given are those of the values.
struct ChartAxis {
  bool logarithmic = false;  ///< values that are not above 0 are omitted
  std::optional<double> from = {}, to = {};
};
inline constexpr ChartAxis kLogAxis{true};

/// The chart as an SVG picture, with a legend. The matrix of a chart is not drawn.
std::string svgOf(const Chart& chart, const ChartAxis& x = {}, const ChartAxis& y = {});

/// Points (x, y), both above 0.
using ChartLine = std::vector<std::pair<double, double>>;

/// Lines by their names.
Chart chartOf(const std::map<std::string, ChartLine>& lines, std::string xLabel, std::string yLabel);

/// Writes named lines over two logarithmic axes.
void writeLogChart(const std::string& path, const std::map<std::string, ChartLine>& lines, std::string xLabel,
                   std::string yLabel);

}  // namespace sulcus::bench
