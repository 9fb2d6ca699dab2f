#include "core/surface/surface_charts.h"

#include "core/analysis/chart_parts.h"
#include "core/analysis/histogram.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace sulcus::surface {
namespace {

Chart histogram(const std::vector<float>& values) {
  Chart chart = emptyChart("No surface", "displacement, mm", "share of the points per mm");
  if (values.empty()) return chart;
  const auto n = double(values.size());
  double mean = 0, squares = 0;
  for (const float value : values) mean += value / n;
  for (const float value : values) squares += (value - mean) * (value - mean) / n;
  chart.title =
      text("Displacement of the surface's points: mean ", mean, " mm, s.d. ", std::sqrt(squares), " mm");
  if (auto bars = histogramBars("displacement", values)) chart.series.push_back(std::move(*bars));
  chart.series.push_back(marksAt("mean", {mean}));
  return chart;
}

}  // namespace

Plot surfaceEnergyPlot(const std::vector<SurfaceIteration>& iterations) {
  Chart chart = emptyChart("Energy before each heat step", "iteration", "energy, mm²");
  Chart::Series energy{"energy", Chart::Kind::line};
  Chart::Series passes = marksAt("pass", {});
  for (std::size_t i = 0; i < iterations.size(); ++i) {
    energy.x.push_back(double(i + 1)), energy.y.push_back(iterations[i].energy);
    if (i > 0 && iterations[i].pass != iterations[i - 1].pass) passes.x.push_back(double(i + 1));
  }
  chart.series.push_back(std::move(energy));
  if (!passes.x.empty()) chart.series.push_back(std::move(passes));
  return fixedPlot("Energy", std::move(chart));
}

Plot displacementPlot(const std::vector<float>& displacement) {
  return fixedPlot("Displacement", histogram(displacement));
}

}  // namespace sulcus::surface
