#include "ui/model/layers/layer_plots.h"

#include "core/analysis/histogram.h"
#include "core/base/numbers.h"
#include "core/image/table_columns.h"
#include "core/math/strided_sample.h"
#include "ui/model/layers/readout.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>

namespace sulcus::ui::model {
namespace {

std::string withUnitOf(const std::string& what, const Layer& layer) {
  return layer.unit.empty() ? what : what + " (" + layer.unit + ")";
}

Chart valuesOverVolumes(const LayerState& state, const Vec3<double>& world) {
  const auto& volume = std::get<VolumeLayer>(state.layer->content);
  const Series<float>& series = *volume.series;
  const double step = volume.secondsPerVolume > 0 ? volume.secondsPerVolume : 1;
  Chart chart;
  chart.xLabel = volume.secondsPerVolume > 0 ? "time (s)" : "volume";
  chart.yLabel = withUnitOf("value", *state.layer);
  const auto voxel = voxelAt(series.grid, world);
  if (!voxel) {
    chart.title = "the crosshair lies outside of " + state.name.toStdString();
    return chart;
  }
  const std::int64_t index = series.grid.index(voxel->x, voxel->y, voxel->z);
  Chart::Series values{state.name.toStdString(), Chart::Kind::line, {}, {}, {}};
  for (int v = 0; v < series.count; ++v)
    if (const float value = series.at(index, v); std::isfinite(value))
      values.x.push_back(v * step), values.y.push_back(double(value));
  chart.title =
      "voxel " + std::to_string(voxel->x) + ", " + std::to_string(voxel->y) + ", " + std::to_string(voxel->z);
  chart.series.push_back(std::move(values));
  chart.series.push_back({"shown volume", Chart::Kind::marks, {state.volume * step}, {}, {}});
  return chart;
}

/// The histogram of the current volume. Zeros, which are the background of most images and would dominate the
/// plot, are left out, with a remark, unless there is nothing else.
Chart histogramOf(const LayerState& state) {
  constexpr std::int64_t kMostValues = 500'000;
  const Series<float>& series = *std::get<VolumeLayer>(state.layer->content).series;
  const auto view = series.volume(std::clamp(state.volume, 0, series.count - 1));
  std::vector<float> values;
  forStridedSample(view.voxels(), kMostValues, [&](std::int64_t i) {
    if (std::isfinite(view.data[i])) values.push_back(view.data[i]);
  });
  const std::string name = state.name.toStdString();
  Chart chart;
  chart.xLabel = withUnitOf("value", *state.layer);
  chart.yLabel = "density";
  chart.title = name + (series.count > 1 ? ", volume " + std::to_string(state.volume) : "");
  std::vector<float> others;
  std::ranges::copy_if(values, std::back_inserter(others), [](float value) { return value != 0; });
  auto bars = histogramBars(name, others);
  if (bars && others.size() < values.size())
    chart.title += ", without zeros (" +
                   std::to_string(std::lround(100 * (1 - double(others.size()) / double(values.size())))) +
                   " %)";
  if (!bars) bars = histogramBars(name, values);
  if (bars)
    chart.series.push_back(std::move(*bars));
  else
    chart.title += ": all values are the same";
  return chart;
}

/// Voxels over time, one row each: the deviation from the mean in units of the standard deviation, so that
/// motion and artifacts appear as columns. Only voxels bright enough to be tissue.
Chart carpetOf(const LayerState& state) {
  constexpr std::int64_t kRows = 300, kMostCandidates = 20'000;
  constexpr int kMostColumns = 600;
  constexpr double kTissue = 0.2;  // fraction of the bright end of the first volume
  constexpr double kReach = 2;     // standard deviations shown as black or white
  const auto& volume = std::get<VolumeLayer>(state.layer->content);
  const Series<float>& series = *volume.series;
  const auto first = series.volume(0);
  const double bright = kTissue * automaticRange({first.data, std::size_t(first.voxels())}).high;
  std::vector<std::int64_t> voxels;
  forStridedSample(first.voxels(), kMostCandidates, [&](std::int64_t i) {
    if (double(first.data[i]) > bright) voxels.push_back(i);
  });
  Chart chart;
  chart.matrix.emplace();
  const int step = std::max(1, series.count / kMostColumns);
  const double seconds = volume.secondsPerVolume;
  for (int v = 0; v < series.count; v += step)
    chart.matrix->columns.push_back(seconds > 0 ? numberText(v * seconds) + " s" : std::to_string(v));
  const std::int64_t rows = std::min<std::int64_t>(kRows, std::int64_t(voxels.size()));
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t voxel = voxels[std::size_t(row * std::int64_t(voxels.size()) / rows)];
    std::vector<double> values;
    for (int v = 0; v < series.count; v += step) values.push_back(double(series.at(voxel, v)));
    const double count = double(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (double& value : values) value -= mean, squares += value * value;
    const double deviation = std::sqrt(squares / count);
    for (double& value : values) value = deviation > 0 ? std::clamp(value / deviation, -kReach, kReach) : 0;
    chart.matrix->rows.push_back(std::move(values));
  }
  chart.title = state.name.toStdString() + ": " + std::to_string(rows) +
                " voxels over time, in units of their standard deviation";
  return chart;
}

double cellOf(const TableLayer& table, std::size_t row, std::optional<std::size_t> column) {
  if (!column || *column >= table.rows[row].size()) return std::nan("");
  return numberIn(table.rows[row][*column]).value_or(std::nan(""));
}

/// The quantities of a table of profiles; none for other tables.
std::vector<std::string> quantitiesIn(const TableLayer& table) {
  constexpr std::string_view kMean = "_mean";
  std::vector<std::string> names;
  for (const char* needed : {"place", "x_mm", "y_mm", "z_mm"})
    if (!columnNamed(table, needed)) return names;
  for (const std::string& column : table.columns)
    if (column.ends_with(kMean)) names.push_back(column.substr(0, column.size() - kMean.size()));
  return names;
}

/// Whose profile it is: the folder of a file that is called like all of them.
std::string ownerOf(const LayerState& state) {
  const std::filesystem::path file = state.layer->source;
  return file.stem() == "profile" && file.has_parent_path() ? file.parent_path().filename().string()
                                                            : state.name.toStdString();
}

/// The mean and s.d. of a quantity along the bundles of all tables that have it; of many tables the mean
/// alone.
Chart profilesOf(const std::vector<LayerState>& tables, const std::string& quantity) {
  constexpr std::size_t kMostBands = 3;
  Chart chart;
  chart.title = quantity + " along the bundle";
  chart.xLabel = "place";
  chart.yLabel = quantity;
  for (const LayerState& state : tables) {
    const auto& table = std::get<TableLayer>(state.layer->content);
    const auto place = columnNamed(table, "place"), mean = columnNamed(table, quantity + "_mean"),
               sd = columnNamed(table, quantity + "_sd");
    const std::string owner = ownerOf(state);
    Chart::Series line{owner, Chart::Kind::line, {}, {}, {}},
        band{owner + " s.d.", Chart::Kind::band, {}, {}, {}};
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      const double x = cellOf(table, r, place), y = cellOf(table, r, mean), wide = cellOf(table, r, sd);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      line.x.push_back(x), line.y.push_back(y);
      const Vec3<double> at{cellOf(table, r, columnNamed(table, "x_mm")),
                            cellOf(table, r, columnNamed(table, "y_mm")),
                            cellOf(table, r, columnNamed(table, "z_mm"))};
      line.places.push_back({float(at.x), float(at.y), float(at.z)});
      if (!std::isfinite(wide)) continue;
      band.x.push_back(x), band.y.push_back(y - wide), band.y2.push_back(y + wide);
    }
    if (line.x.empty()) continue;
    if (tables.size() <= kMostBands && !band.x.empty()) chart.series.push_back(std::move(band));
    chart.series.push_back(std::move(line));
  }
  return chart;
}

/// One plot for each quantity of all tables of profiles.
std::vector<Plot> profilePlots(const std::vector<LayerState>& layers) {
  std::vector<std::string> quantities;
  std::map<std::string, std::vector<LayerState>> tablesOf;
  for (auto state = layers.rbegin(); state != layers.rend(); ++state) {
    const auto* table = std::get_if<TableLayer>(&state->layer->content);
    if (!table || state->origin == Origin::temporary) continue;
    for (const std::string& quantity : quantitiesIn(*table)) {
      auto& tables = tablesOf[quantity];
      if (tables.empty()) quantities.push_back(quantity);
      tables.push_back(*state);
    }
  }
  std::vector<Plot> plots;
  for (const std::string& quantity : quantities)
    plots.push_back({"Profiles along bundles: " + quantity, false,
                     [tables = tablesOf[quantity], quantity](const Vec3<double>&) {
                       return profilesOf(tables, quantity);
                     }});
  return plots;
}

}  // namespace

std::vector<Plot> plotsOf(const std::vector<LayerState>& layers) {
  constexpr int kLongEnough = 10;  // volumes needed for a carpet plot
  std::vector<Plot> overVolumes, overFew, carpets, histograms;
  for (auto state = layers.rbegin(); state != layers.rend(); ++state) {
    const auto* volume = std::get_if<VolumeLayer>(&state->layer->content);
    if (!volume || volume->colors || state->origin == Origin::temporary) continue;
    const std::string name = state->name.toStdString();
    const bool isLong = volume->series->count >= kLongEnough;
    if (volume->series->count > 1)
      (isLong ? overVolumes : overFew)
          .push_back({"Time series of an image: " + name, true, [state = *state](const Vec3<double>& world) {
                        return valuesOverVolumes(state, world);
                      }});
    if (isLong)
      carpets.push_back({"Carpet of an image: " + name, false,
                         [state = *state](const Vec3<double>&) { return carpetOf(state); }});
    histograms.push_back({"Histogram of an image: " + name, false,
                          [state = *state](const Vec3<double>&) { return histogramOf(state); }});
  }
  std::vector<Plot> profiles = profilePlots(layers);
  for (const auto* others : {&profiles, &overFew, &carpets, &histograms})
    overVolumes.insert(overVolumes.end(), others->begin(), others->end());
  return overVolumes;
}

}  // namespace sulcus::ui::model
