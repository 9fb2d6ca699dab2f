#include "core/group/group_charts.h"

#include "core/analysis/chart_parts.h"
#include "core/analysis/histogram.h"
#include "core/base/sentence.h"
#include "core/group/exchanges.h"
#include "core/image/grids/index_at.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::group {
namespace {

/// The column of the design for the group of a person; −1 if the columns are not groups.
int groupOf(const GroupDesign& design, std::size_t person) {
  for (int c = 0; c < design.columns(); ++c)
    if (design.rows[person][std::size_t(c)] == 1) return c;
  return -1;
}

/// The name and the image of the person of each point.
std::vector<Chart::Subject> subjectsOf(const GroupResult& result, const GroupInput& input,
                                       const std::vector<LayerPtr>& images) {
  std::vector<Chart::Subject> subjects;
  for (std::size_t n = 0; n < result.people.size(); ++n) {
    const std::size_t map = result.mapOfRow[n];
    Chart::Subject& subject = subjects.emplace_back(result.people[n], nullptr, input.volumes[map]);
    if (std::ranges::count(result.people, result.people[n]) > 1)
      subject.name += " (" + input.names[map] + ")";
    if (map < images.size()) subject.image = images[map];
  }
  return subjects;
}

/// One number for each person as points by group; those that are not finite are excluded.
std::vector<Chart::Series> byGroup(const GroupResult& result, const std::vector<Chart::Subject>& subjects,
                                   const std::vector<double>& values) {
  std::vector<Chart::Series> groups;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const int group = groupOf(result.design, n);
    const std::string name = group < 0 ? "people" : result.design.names[std::size_t(group)];
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.name == name; });
    if (found == groups.end()) found = groups.insert(found, Chart::Series{name, Chart::Kind::points});
    if (!std::isfinite(values[n])) continue;
    found->x.push_back(double(n + 1));
    found->y.push_back(values[n]);
    found->subjects.push_back(subjects[n]);
  }
  return groups;
}

/// The values of all people in a voxel; empty outside the analyzed voxels.
std::vector<double> peopleAt(const GroupResult& result, const GroupInput& input, std::int64_t voxel) {
  std::vector<double> values;
  if (!std::binary_search(result.voxels.begin(), result.voxels.end(), voxel)) return values;
  for (const std::size_t map : result.mapOfRow)
    values.push_back(input.maps[map]->at(voxel, input.volumes[map]));
  return values;
}

std::string placeOf(const GroupResult& result, std::int64_t voxel) {
  const auto v = result.grid.voxel(voxel);
  return text("Voxel ", v.x, ", ", v.y, ", ", v.z);
}

Chart::Series levelLine(const GroupResult& result, const std::string& name, double level) {
  return {name, Chart::Kind::line, {1, double(result.mapOfRow.size())}, {level, level}};
}

Chart valuesAt(const GroupResult& result, const GroupInput& input,
               const std::vector<Chart::Subject>& subjects, std::int64_t voxel) {
  Chart chart = emptyChart("No value of all people here", "person", "value");
  const auto values = peopleAt(result, input, voxel);
  if (values.empty()) return chart;
  chart.title = placeOf(result, voxel);
  for (auto& group : byGroup(result, subjects, values)) {
    double mean = 0;
    for (const double y : group.y) mean += y / double(group.y.size());
    chart.series.push_back(levelLine(result, "mean of " + group.name, mean));
    chart.series.push_back(std::move(group));
  }
  return chart;
}

/// t of a contrast without one person.
struct LeftOut {
  double all = 0;                ///< t of all
  std::vector<double> withEach;  ///< t without each person; NaN where the others do not determine it
};

/// t of a contrast of one row without each person in turn, by the deletion formulas (Cook & Weisberg,
/// Residuals and influence in regression, 1982) on orthonormal columns of the design.
LeftOut leftOut(const ContrastModel& model, const std::vector<double>& values) {
  const Eigen::Map<const Eigen::VectorXd> y(values.data(), std::ssize(values));
  Eigen::MatrixXd columns(y.size(), 1 + model.nuisance.cols());
  columns << model.effect, model.nuisance;
  const Eigen::VectorXd coefficients = columns.transpose() * y, rest = y - columns * coefficients;
  const double squares = rest.squaredNorm();
  LeftOut found;
  found.all = coefficients[0] / std::sqrt(squares / model.freedom);
  for (Eigen::Index n = 0; n < y.size(); ++n) {
    const double room = 1 - columns.row(n).squaredNorm(), along = columns(n, 0);
    const double left = squares - rest[n] * rest[n] / room;
    const double factor = 1 + along * along / room;
    const bool isDetermined = room > 1e-9 && model.freedom > 1 && left > 0;
    const double coefficient = coefficients[0] - along * rest[n] / room;
    found.withEach.push_back(isDetermined ? coefficient / std::sqrt(factor * left / (model.freedom - 1))
                                          : std::numeric_limits<double>::quiet_NaN());
  }
  return found;
}

/// t at the crosshair without each person; the title names the person whose exclusion brings it nearest to 0.
Plot leaveOneOutPlot(const std::shared_ptr<const GroupResult>& result, const GroupInput& input,
                     const std::vector<Chart::Subject>& subjects, const GroupContrast& contrast) {
  const auto model = std::make_shared<const ContrastModel>(contrastModel(result->design, contrast));
  return {"Leave one out " + contrast.name, true, [result, input, subjects, model](const Vec3<double>& p) {
            const std::int64_t voxel = indexAt(result->grid, p);
            Chart chart = emptyChart("No value of all people here", "person", "t without this person");
            const auto values = peopleAt(*result, input, voxel);
            if (values.empty()) return chart;
            const LeftOut found = leftOut(*model, values);
            std::size_t carrier = 0;
            for (std::size_t n = 1; n < values.size(); ++n)
              if (std::abs(found.withEach[n]) < std::abs(found.withEach[carrier])) carrier = n;
            chart.title = text(placeOf(*result, voxel), ": t ", found.all, ", least without ",
                               subjects[carrier].name, ": ", found.withEach[carrier]);
            chart.series.push_back(levelLine(*result, "all", found.all));
            for (auto& group : byGroup(*result, subjects, found.withEach))
              chart.series.push_back(std::move(group));
            return chart;
          }};
}

Plot nullPlot(const std::string& what, const ContrastResult& contrast, const std::vector<float>& largest,
              double alpha) {
  std::vector<float> sorted = largest;
  std::sort(sorted.begin(), sorted.end());
  const auto rank =
      std::size_t(std::clamp((1 - alpha) * double(sorted.size()), 0.0, double(sorted.size() - 1)));
  Chart chart = emptyChart(text("Largest ", what, " of the image in ", contrast.exchanges,
                                " permutations: ", contrast.contrast.name),
                           "largest " + what, "share per unit");
  if (auto bars = histogramBars("by chance", largest)) chart.series.push_back(std::move(*bars));
  chart.series.push_back(marksAt(text("p = ", alpha), {sorted[rank]}));
  chart.series.push_back(marksAt("found", {largest.front()}));
  return fixedPlot("Null " + what + " " + contrast.contrast.name, std::move(chart));
}

}  // namespace

Chart designChart(const GroupDesign& design) {
  Chart chart = emptyChart("Design", "column", "person");
  chart.matrix = Chart::Matrix{design.names, design.rows};
  return chart;
}

std::vector<Plot> groupPlots(std::shared_ptr<const GroupResult> result, const GroupInput& input,
                             const std::vector<LayerPtr>& images, const GroupOptions& options) {
  std::vector<Plot> plots;
  const auto subjects = subjectsOf(*result, input, images);
  plots.push_back({"People", true, [result, input, subjects](const Vec3<double>& p) {
                     return valuesAt(*result, input, subjects, indexAt(result->grid, p));
                   }});
  for (const auto& contrast : result->contrasts)
    if (!contrast.contrast.isJoint())
      plots.push_back(leaveOneOutPlot(result, input, subjects, contrast.contrast));
  for (const auto& contrast : result->contrasts) {
    plots.push_back(nullPlot("TFCE", contrast, contrast.largestTfce, options.alpha));
    plots.push_back(nullPlot("t", contrast, contrast.largestT, options.alpha));
  }
  plots.push_back(fixedPlot("Design", designChart(result->design)));
  return plots;
}

}  // namespace sulcus::group
