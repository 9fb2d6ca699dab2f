#include "ui/model/layers/region_plot.h"

#include "core/image/labels/region_values.h"
#include "ui/model/layers/readout.h"

#include <map>
#include <memory>
#include <mutex>
#include <ranges>

namespace sulcus::ui::model {
namespace {

/// The label of each voxel, and the means that were requested: computed once, on the worker that asks first.
struct RegionMeans {
  std::mutex mutex;  // guards both
  std::vector<Label> labels;
  std::map<Label, RegionSeries> means;
};

}  // namespace

Plot regionPlot(const NamedLayer& series, const NamedLayer& labels) {
  const auto known = std::make_shared<RegionMeans>();
  Plot plot;
  plot.name = "Region";
  plot.followsCrosshair = true;
  plot.make = [series, labels, known](const Vec3<double>& p_in_world) {
    const auto& image = std::get<VolumeLayer>(series.layer->content);
    const auto& regions = std::get<LabelsLayer>(labels.layer->content);
    Chart chart;
    const double step = image.secondsPerVolume > 0 ? image.secondsPerVolume : 1;
    chart.xLabel = image.secondsPerVolume > 0 ? "time (s)" : "volume";
    chart.yLabel = series.layer->unit.empty() ? series.name : series.layer->unit;
    const auto voxel = voxelAt(regions.labels->grid, p_in_world);
    const Label label = voxel ? (*regions.labels)(voxel->x, voxel->y, voxel->z) : 0;
    if (label == 0) {
      chart.title = "No region of " + labels.name + " at the crosshair";
      return chart;
    }
    const std::lock_guard lock(known->mutex);
    if (known->labels.empty()) known->labels = labelsAt(*regions.labels, image.series->grid);
    auto found = known->means.find(label);
    if (found == known->means.end())
      found = known->means.emplace(label, regionSeries(known->labels, label, *image.series)).first;
    const RegionSeries& means = found->second;
    chart.title = "Region " + labelText(label, regions.names.get()).toStdString() + ": mean of " +
                  std::to_string(means.voxels) + " voxels of " + series.name;
    Chart::Series band{"mean ± s.d. of the voxels", Chart::Kind::band, {}, {}, {}};
    Chart::Series line{"mean", Chart::Kind::line, {}, {}, {}};
    for (std::size_t i = 0; i < means.mean.size(); ++i) {
      const double x = double(i) * step;
      band.x.push_back(x), line.x.push_back(x);
      line.y.push_back(means.mean[i]);
      band.y.push_back(means.mean[i] - means.deviation[i]);
      band.y2.push_back(means.mean[i] + means.deviation[i]);
    }
    chart.series = {std::move(band), std::move(line)};
    return chart;
  };
  return plot;
}

RegionPlotOffer::RegionPlotOffer(const LayerStack& layers, const RegionTools& regions, PlotsModel& plots)
    : layers_(layers), regions_(regions), plots_(plots) {
  connect(&layers_, &LayerStack::changed, this, &RegionPlotOffer::update);
}

void RegionPlotOffer::update() {
  // The current series, else the longest one; of equally long ones the topmost.
  NamedLayer series;
  int longest = 1;
  const auto named = [](const LayerState* state) {
    return state ? NamedLayer{state->layer, state->name.toStdString()} : NamedLayer{};
  };
  const auto consider = [&](const LayerState* state) {
    const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
    const int count = volume && !volume->colors ? volume->series->count : 0;
    if (count > longest) longest = count, series = named(state);
  };
  consider(layers_.find(layers_.current()));
  if (!series.layer)
    for (const LayerState& state : std::views::reverse(layers_.layers())) consider(&state);
  NamedLayer labels;
  if (series.layer) labels = named(layers_.find(regions_.target()));
  if (!labels.layer) series = {};
  if (series == series_ && labels == labels_) return;
  series_ = series;
  labels_ = labels;
  plots_.setOpenPlots(labels.layer ? std::vector{regionPlot(series, labels)} : std::vector<Plot>());
}

}  // namespace sulcus::ui::model
