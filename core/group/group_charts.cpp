#include "core/group/group_charts.h"

#include "core/analysis/histogram.h"
#include "core/base/sentence.h"
#include "core/image/grids/index_at.h"

#include <algorithm>
#include <cmath>

namespace sulcus::group {
namespace {

/// The column of the design that names a person's group; −1 where the columns are no groups.
int groupOf(const GroupDesign& design, std::size_t person) {
  for (int c = 0; c < design.columns(); ++c)
    if (design.rows[person][std::size_t(c)] == 1) return c;
  return -1;
}

Chart valuesAt(const GroupResult& result, const GroupInput& input, std::int64_t voxel) {
  Chart chart{"No value of all people here", "person", "value", {}, {}};
  if (!std::binary_search(result.voxels.begin(), result.voxels.end(), voxel)) return chart;
  const auto v = result.grid.voxel(voxel);
  chart.title = text("Voxel ", v.x, ", ", v.y, ", ", v.z);
  std::vector<Chart::Series> groups;
  for (std::size_t n = 0; n < result.mapOfRow.size(); ++n) {
    const int group = groupOf(result.design, n);
    const std::string name = group < 0 ? "people" : result.design.names[std::size_t(group)];
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.name == name; });
    if (found == groups.end()) found = groups.insert(found, {name, Chart::Kind::points, {}, {}, {}});
    const std::size_t map = result.mapOfRow[n];
    found->x.push_back(double(n + 1));
    found->y.push_back(input.maps[map]->at(voxel, input.volumes[map]));
  }
  for (auto& group : groups) {
    double mean = 0;
    for (const double y : group.y) mean += y / double(group.y.size());
    chart.series.push_back(
        {"mean of " + group.name, Chart::Kind::line, {1, double(result.mapOfRow.size())}, {mean, mean}, {}});
    chart.series.push_back(std::move(group));
  }
  return chart;
}

Plot nullPlot(const std::string& what, const ContrastResult& contrast, const std::vector<float>& largest,
              double alpha) {
  std::vector<float> sorted = largest;
  std::sort(sorted.begin(), sorted.end());
  const auto rank =
      std::size_t(std::clamp((1 - alpha) * double(sorted.size()), 0.0, double(sorted.size() - 1)));
  Chart chart{
      text("Largest ", what, " of the image in ", contrast.exchanges, " exchanges: ", contrast.contrast.name),
      "largest " + what,
      "share per unit",
      {},
      {}};
  if (auto bars = histogramBars("by chance", largest)) chart.series.push_back(std::move(*bars));
  chart.series.push_back({text("p = ", alpha), Chart::Kind::marks, {sorted[rank]}, {}, {}});
  chart.series.push_back({"found", Chart::Kind::marks, {largest.front()}, {}, {}});
  return {"Null " + what + " " + contrast.contrast.name, false,
          [chart = std::move(chart)](const Vec3<double>&) { return chart; }};
}

}  // namespace

Chart designChart(const GroupDesign& design) {
  Chart chart{"Design", "column", "person", {}, {}};
  chart.matrix = Chart::Matrix{design.names, design.rows};
  return chart;
}

std::vector<Plot> groupPlots(std::shared_ptr<const GroupResult> result, const GroupInput& input,
                             const GroupOptions& options) {
  std::vector<Plot> plots;
  plots.push_back({"People", true, [result, input](const Vec3<double>& p) {
                     return valuesAt(*result, input, indexAt(result->grid, p));
                   }});
  for (const auto& contrast : result->contrasts) {
    plots.push_back(nullPlot("TFCE", contrast, contrast.largestTfce, options.alpha));
    plots.push_back(nullPlot("t", contrast, contrast.largestT, options.alpha));
  }
  plots.push_back(
      {"Design", false, [chart = designChart(result->design)](const Vec3<double>&) { return chart; }});
  return plots;
}

}  // namespace sulcus::group
