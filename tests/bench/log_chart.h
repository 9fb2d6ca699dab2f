#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::bench {

/// Points (x, y), both above 0.
using ChartLine = std::vector<std::pair<double, double>>;

/// A logarithmic axis from 10^from to 10^to.
struct LogAxis {
  std::string title;
  int from, to;
};

/// Writes named lines as an SVG picture; values below the vertical axis are drawn on its end.
void writeLogChart(const std::string& path, const std::map<std::string, ChartLine>& lines, const LogAxis& x,
                   const LogAxis& y);

}  // namespace sulcus::bench
