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

/// A series with its drawing style.
struct DrawnSeries {
  Chart::Series series;
  std::string label;    ///< in the legend: "fitted mean (GPU)"
  Rgb color{0, 0, 0};   ///< distinguishable with every type of color vision, on light and on dark
  bool dashed = false;  ///< for the second run: a line is dashed, bars are outlined, points are crosses
  int shape = 0;        ///< of points: one of kShapes, a different one for each name
};
constexpr int kShapes = 3;

/// The series of all charts in drawing order: bands first, marks last. Each name has a pair of colors, one
/// for the first and one for the second run; a band has those of the line after it, else before it, and "mean
/// of patients" those of the points "patients". A series that is the same in both runs appears once, without
/// a run's name.
std::vector<DrawnSeries> drawnSeries(const std::vector<NamedChart>& charts);

/// The titles of all charts; one shared by several appears once.
std::string titleOf(const std::vector<NamedChart>& charts);

/// Minimum and maximum of what is drawn, with a small margin; {0, 1} if there is nothing.
struct ChartBounds {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  friend bool operator==(const ChartBounds&, const ChartBounds&) = default;
};
ChartBounds boundsOf(const std::vector<DrawnSeries>& series);

/// Width of a histogram's bars: the smallest distance between two of them.
double barWidth(const Chart::Series& bars);

/// The ticks of an axis, at multiples of 1, 2 or 5 times a power of ten, at most `most` of them.
///
/// @param leastStep  between two of them: 1 for an axis of integers
std::vector<double> niceTicks(double low, double high, int most, double leastStep = 0);
/// Whether every x is an integer, like scans and iterations.
bool isOverWholeNumbers(const std::vector<DrawnSeries>& series);

/// Three to five significant digits: "0.532", "1.2e-05".
std::string chartNumber(double value);

}  // namespace sulcus::ui::scene
