#pragma once

#include "ui/scene/charts/named_chart.h"
#include "ui/scene/common/colormap.h"

#include <string>
#include <vector>

namespace sulcus::ui::scene {

/// The colors around the data: those of the window, light or dark.
struct ChartTheme {
  Rgb background{255, 255, 255}, text{32, 32, 32};
  friend bool operator==(const ChartTheme&, const ChartTheme&) = default;
};

/// A series as it is drawn.
struct DrawnSeries {
  Chart::Series series;
  std::string label;    ///< of the legend: "fitted mean (GPU)"
  Rgb color{0, 0, 0};   ///< distinguishable with every kind of color vision, on light and on dark
  bool dashed = false;  ///< of the second run: a line is dashed, bars are outlined, points are crosses
};

/// The series of all charts in the order of drawing: bands first, marks last. Each name has a pair of colors,
/// one for the first and one for the second run; a band has those of the line after it, else before it. What
/// is the same in both runs is there once, without a run's name.
std::vector<DrawnSeries> drawnSeries(const std::vector<NamedChart>& charts);

/// The titles of all charts; one that several share is said once.
std::string titleOf(const std::vector<NamedChart>& charts);

/// Smallest and largest of what is drawn, with a little room around; {0, 1} where nothing is.
struct ChartBounds {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  friend bool operator==(const ChartBounds&, const ChartBounds&) = default;
};
ChartBounds boundsOf(const std::vector<DrawnSeries>& series);

/// Width of a histogram's bars: the smallest distance of two of them.
double barWidth(const Chart::Series& bars);

/// Where the ticks of an axis of whole numbers stand: at such numbers, at most `most` of them.
std::vector<double> wholeTicks(double low, double high, int most);
/// Whether every x is a whole number, as scans and iterations are.
bool isOverWholeNumbers(const std::vector<DrawnSeries>& series);

/// Three to five significant digits: "0.532", "1.2e-05".
std::string chartNumber(double value);

}  // namespace sulcus::ui::scene
