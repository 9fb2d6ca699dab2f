#include "core/activation/results/activation_charts.h"
#include "core/activation/results/saved_draws.h"
#include "core/analysis/chart_parts.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sulcus::activation {
namespace {

/// The draws of Δ of one group and regressor.
struct DeltaDraws {
  int chains = 1;
  /// Of each covariate in the order of the table, in the form for addTraces().
  std::vector<std::pair<std::string, std::vector<double>>> values;

  std::vector<double>& of(const std::string& covariate) {
    for (auto& [name, draws] : values)
      if (name == covariate) return draws;
    return values.emplace_back(covariate, std::vector<double>()).second;
  }
};

/// Δ by group and regressor.
using DeltaTable = std::map<std::pair<std::string, std::string>, DeltaDraws>;

[[noreturn]] void refuse(const std::string& why) {
  throw Error("The table of Δ cannot be read", why, "give the folder of an activation run as it was written");
}

double numberOf(const std::string& cell) {
  const auto value = numberIn(cell);
  if (!value) refuse("'" + cell + "' is not a number");
  return *value;
}

/// @param table  columns group, chain, draw, Δ[covariate, regressor] …; rows by group, chain and draw
DeltaTable deltaTable(const TableLayer& table) {
  if (table.columns.size() < 4 || table.columns[0] != "group" || table.columns[1] != "chain")
    refuse("it does not begin with the columns group, chain and draw");
  std::vector<std::optional<DeltaColumn>> columns;
  for (const auto& column : table.columns) columns.push_back(deltaColumn(column));
  DeltaTable read;
  for (const auto& row : table.rows) {
    if (row.size() != table.columns.size()) refuse("its rows differ in length");
    for (std::size_t c = 3; c < row.size(); ++c) {
      if (!columns[c]) continue;
      DeltaDraws& draws = read[{row[0], columns[c]->regressor}];
      draws.of(columns[c]->covariate).push_back(numberOf(row[c]));
      draws.chains = std::max(draws.chains, int(std::clamp(numberOf(row[1]), 1.0, 1e6)));
    }
  }
  for (const auto& [key, draws] : read)
    for (const auto& [covariate, values] : draws.values)
      if (values.size() % std::size_t(draws.chains) != 0) refuse("its chains differ in length");
  return read;
}

Chart chain(const SavedDraws& saved, std::size_t regressor, int chains, const Vec3<double>& p_in_world) {
  const Series<float>& draws = *saved.draws[regressor];
  const std::int64_t index = indexAt(draws.grid, p_in_world);
  Chart chart = emptyChart("No voxel of the mask here", "kept draw",
                           withUnit("effect of " + saved.regressors[regressor], saved.unit));
  if (index < 0 || !std::isfinite(draws.at(index, 0))) return chart;
  const auto v = draws.grid.voxel(index);
  chart.title = text("Voxel ", v.x, ", ", v.y, ", ", v.z);
  std::vector<double> values;
  for (int d = 0; d < draws.count; ++d) values.push_back(draws.at(index, d));
  addTraces(chart, saved.regressors[regressor], values, draws.count % chains == 0 ? chains : 1);
  return chart;
}

Chart deltas(const SavedDraws& saved, const DeltaTable& table, std::size_t regressor, bool density,
             const Vec3<double>& p_in_world) {
  const std::string& name = saved.regressors[regressor];
  std::string group = table.begin()->first.first;
  if (group.starts_with("slice ")) group = sliceNameAt(saved.draws.front()->grid, p_in_world);
  const auto found = table.find({group, name});
  Chart chart = deltaChart(found == table.end() ? "No voxel of this slice was analyzed" : group,
                           withUnit("Δ of " + name, saved.unit), density);
  if (found == table.end()) return chart;
  for (const auto& [covariate, values] : found->second.values)
    if (density)
      chart.series.push_back(kernelDensity(covariate, values));
    else
      addTraces(chart, covariate, values, found->second.chains);
  return chart;
}

}  // namespace

std::vector<Plot> savedDrawPlots(const std::shared_ptr<const SavedDraws>& saved) {
  using Point = const Vec3<double>&;
  const auto table = std::make_shared<const DeltaTable>(deltaTable(saved->delta));
  if (table->empty()) refuse("it has no rows");
  const int chains = table->begin()->second.chains;
  std::vector<Plot> plots;
  for (std::size_t j = saved->regressors.size() > 1 ? 1 : 0; j < saved->regressors.size(); ++j) {
    const std::string& name = saved->regressors[j];
    plots.push_back(
        {"Chain: " + name, true, [saved, j, chains](Point p) { return chain(*saved, j, chains, p); }});
    for (const bool density : {false, true})
      plots.push_back({(density ? "Δ density: " : "Δ: ") + name, true, [saved, table, j, density](Point p) {
                         return deltas(*saved, *table, j, density, p);
                       }});
  }
  return plots;
}

}  // namespace sulcus::activation
