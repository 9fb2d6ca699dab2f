#include "core/preparation/preparation_charts.h"

#include "core/analysis/chart_parts.h"
#include "core/preparation/carpet.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sulcus::preparation {
namespace {

constexpr int kCarpetRows = 300;
constexpr double kCarpetReach = 2;  // standard deviations, black and white

void addLine(Chart& chart, std::string name, const std::vector<double>& values) {
  Chart::Series line{std::move(name)};
  for (std::size_t v = 0; v < values.size(); ++v) line.x.push_back(double(v));
  line.y = values;
  chart.series.push_back(std::move(line));
}

Chart overVolumes(std::string title, std::string yLabel) {
  return emptyChart(std::move(title), "volume", std::move(yLabel));
}

Plot motionPlot(const std::vector<Motion>& motion) {
  Chart chart = overVolumes("Head motion", "mm (rotations at 50 mm)");
  const Eigen::MatrixXd values = parametersOf(motion);
  for (int k = 0; k < 6; ++k) {
    const Eigen::VectorXd column = (k < 3 ? 1 : kHeadRadius) * values.col(k);
    addLine(chart, parameterNames()[std::size_t(k)], {column.begin(), column.end()});
  }
  return fixedPlot("Motion", std::move(chart));
}

Plot displacementPlot(const std::vector<double>& displacement) {
  Chart chart = overVolumes("Framewise displacement", "mm");
  addLine(chart, "displacement", displacement);
  return fixedPlot("Displacement", std::move(chart));
}

Plot eddyPlot(const std::vector<EddyTerms>& eddy) {
  Chart chart = overVolumes("Displacement by eddy currents", "mm at 50 mm from the center");
  const auto names = eddyNames();
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<double> values;
    for (const EddyTerms& terms : eddy) values.push_back(terms[k]);
    addLine(chart, names[k], values);
  }
  return fixedPlot("Eddy currents", std::move(chart));
}

Chart carpetChart(const Series<float>& series, const Mask& mask) {
  Chart chart =
      emptyChart("Carpet plot: brain voxels over the volumes, white and black: 2 s.d.", "", "voxel");
  chart.matrix.emplace();
  for (int v = 0; v < series.count; ++v) chart.matrix->columns.push_back(std::to_string(v));
  const auto isInside = [&](std::int64_t i) { return mask.values[std::size_t(i)] != 0; };
  chart.matrix->rows = carpetOf(series, carpetVoxels(series.grid.voxels(), isInside, kCarpetRows));
  for (auto& row : chart.matrix->rows)
    for (double& value : row) value = std::clamp(value, -kCarpetReach, kCarpetReach);
  return chart;
}

}  // namespace

std::vector<Plot> preparationPlots(const std::shared_ptr<const PreparedSeries>& prepared) {
  Chart change = overVolumes("Change between volumes (standardized DVARS)", "for noise alone");
  addLine(change, "DVARS", prepared->standardDvars);
  std::vector<Plot> plots{motionPlot(prepared->motion.motion), displacementPlot(prepared->displacement),
                          fixedPlot("DVARS", std::move(change))};
  plots.push_back({"Carpet", false, [prepared](const Vec3<double>&) {
                     return carpetChart(*prepared->motion.series, *prepared->mask);
                   }});
  return plots;
}

std::vector<Plot> diffusionPlots(const PreparedDiffusion& prepared) {
  if (prepared.motion.empty()) return {};
  std::vector<Plot> plots{motionPlot(prepared.motion),
                          displacementPlot(framewiseDisplacement(prepared.motion))};
  if (!std::ranges::all_of(prepared.eddy, isZero)) plots.push_back(eddyPlot(prepared.eddy));
  if (prepared.lost.empty()) return plots;
  std::vector<double> lost(prepared.motion.size(), 0);
  for (const LostSlice& slice : prepared.lost) ++lost[std::size_t(slice.volume)];
  Chart chart = overVolumes("Slices without signal", "slices");
  addLine(chart, "slices", lost);
  plots.push_back(fixedPlot("Lost slices", std::move(chart)));
  return plots;
}

}  // namespace sulcus::preparation
