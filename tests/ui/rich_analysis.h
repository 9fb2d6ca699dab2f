#pragma once

#include "tests/ui/fake_analysis.h"

#include <atomic>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

// An analysis that uses everything the window offers: previews, plots, options that change a finished result,
// presets, slots that take many layers or a table.
namespace sulcus::test {

struct RichOptions {
  double scale = 1;
  int steps = 0;
  bool hold = false, failing = false;
  double level = 0;
  std::string contrasts;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(scale, numberOption("scale", "Scale", "", {0, 100, 0.5}, "What every value is multiplied with."));
    visit(steps, numberOption("steps", "Steps", "", {0, 1000000, 1}, "How many previews are handed out."));
    visit(hold, toggleOption("hold", "Hold", "Goes on until it is cancelled."));
    visit(failing, toggleOption("failing", "Fail", "Ends with an error."));
    visit(level, adjustable(numberOption("level", "Level", "%", {0, 10, 0.1}, "Where the map begins.")));
    visit(contrasts, [] {
      OptionInfo info = adjustable(textOption("contrasts", "Contrasts", "Maps that are added."));
      info.list = true;
      return info;
    }());
  }
};

/// How often the analysis' functions were called; tests of coalescing read it.
struct RichCalls {
  std::atomic<int> adjust{0}, chart{0}, inputPlots{0};
};

inline Layer constantLayer(const std::string& name, const Grid& grid, double value) {
  Layer layer;
  layer.name = name;
  auto series = std::make_shared<Series<float>>(grid, 1);
  std::fill(series->values.begin(), series->values.end(), float(value));
  layer.content = VolumeLayer{series, {}, 0, {}};
  return layer;
}

inline float firstValue(const Layer& layer) {
  return std::get<VolumeLayer>(layer.content).series->values.front();
}

/// "level" with its threshold, and "contrast_NAME" for each of the names.
inline std::vector<Layer> richContrasts(const Grid& grid, const RichOptions& options) {
  std::vector<Layer> layers{constantLayer("level", grid, options.level)};
  layers.front().display.hideBelow = options.level;
  std::istringstream names(options.contrasts);
  for (std::string name; std::getline(names, name, ';');) {
    name.erase(0, name.find_first_not_of(' '));
    if (name == "wrong")
      throw Error("'wrong' is no contrast", "the test says so", "write another", ErrorKind::usage);
    if (!name.empty()) layers.push_back(constantLayer("contrast_" + name, grid, options.level));
  }
  for (Layer& layer : layers) layer.display.visible = false;
  return layers;
}

inline std::vector<Plot> richPlots(float offset, const std::shared_ptr<RichCalls>& calls) {
  Plot trace, histogram;
  trace.name = "Trace";
  trace.followsCrosshair = true;
  trace.make = [offset, calls](const Vec3<double>& at) {
    ++calls->chart;
    Chart chart;
    chart.title = "x = " + std::to_string(int(at.x)) + " mm";
    chart.xLabel = "time (s)";
    chart.yLabel = "signal (%)";
    Chart::Series measured{"measured", Chart::Kind::points, {}, {}, {}},
        fit{"fit", Chart::Kind::line, {}, {}, {}}, band{"90 %", Chart::Kind::band, {}, {}, {}},
        onset{"onset", Chart::Kind::marks, {12, 36}, {}, {}};
    for (int i = 0; i < 60; ++i) {
      const double t = i, y = std::sin(t * 0.3 + 0.1 * at.x);
      measured.x.push_back(t), measured.y.push_back(y + 0.3 * std::sin(17.0 * i));
      measured.places.push_back({float(i), 2, 3});
      fit.x.push_back(t), fit.y.push_back(y + offset);
      band.x.push_back(t), band.y.push_back(y + offset - 0.4), band.y2.push_back(y + offset + 0.4);
    }
    chart.series = {measured, fit, band, onset};
    return chart;
  };
  histogram.name = "Histogram";
  histogram.make = [offset](const Vec3<double>&) {
    Chart chart;
    chart.title = "posterior means";
    chart.xLabel = "effect (%)";
    chart.yLabel = "voxels";
    Chart::Series bars{"count", Chart::Kind::bars, {}, {}, {}};
    for (int i = -10; i <= 10; ++i)
      bars.x.push_back(i * 0.2), bars.y.push_back(100 * std::exp(-0.05 * i * i) + offset);
    chart.series = {bars};
    return chart;
  };
  return {trace, histogram};
}

/// The progress as a growing curve.
inline Plot curveSoFar(int step) {
  Plot plot;
  plot.name = "Progress";
  plot.make = [step](const Vec3<double>&) {
    Chart chart;
    chart.title = "step " + std::to_string(step);
    Chart::Series line{"done", Chart::Kind::line, {}, {}, {}};
    for (int i = 0; i <= step; ++i) line.x.push_back(i), line.y.push_back(1.0 / (1 + i));
    chart.series = {line};
    return chart;
  };
  return plot;
}

inline Analysis::Run richRun(float offset, const std::shared_ptr<RichCalls>& calls) {
  return [offset, calls](const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                         const Analysis::Preview& preview) {
    const auto options = optionsFrom<RichOptions>(values);
    const Grid grid = *gridOf(*inputs.find("image")->second);
    const auto layersOf = [&](double value) {
      std::vector<Layer> layers{constantLayer("map", grid, value + offset)};
      for (Layer& layer : richContrasts(grid, options)) layers.push_back(std::move(layer));
      return layers;
    };
    for (int step = 0; step < options.steps; ++step) {
      if (preview) {
        auto layers = layersOf(step);
        layers.front().notes = {Note::warning("too little is shown.", "Ask for more.", "scale")};
        preview(std::move(layers), {curveSoFar(step)});
      }
      progress.update(double(step) / options.steps);
    }
    if (options.failing) throw Error("The image cannot be used", "the test asked for it", "switch Fail off");
    while (options.hold) progress.update(0.5);
    RunResult result;
    result.layers = layersOf(options.scale);
    result.items = double(grid.voxels());
    result.itemName = "voxels";
    result.plots = richPlots(offset, calls);
    result.files = {{"method.txt", "of any level\n"}, {"report.txt", "of one level\n", true}};
    result.adjust = [grid, calls](const OptionValues& changed, const Progress&) {
      ++calls->adjust;
      return richContrasts(grid, optionsFrom<RichOptions>(changed));
    };
    return result;
  };
}

inline Analysis richAnalysis(const std::shared_ptr<RichCalls>& calls = std::make_shared<RichCalls>()) {
  Analysis rich;
  rich.name = "rich";
  rich.title = "Rich";
  rich.summary = "Uses everything the window offers";
  const auto isVolume = [](const Layer& layer) { return std::holds_alternative<VolumeLayer>(layer.content); };
  const auto isTable = [](const Layer& layer) { return std::holds_alternative<TableLayer>(layer.content); };
  rich.inputs = {{"image", "Image", "What is worked on", true, isVolume, false},
                 {"design", "Design", "A table", false, isTable, false},
                 {"maps", "Maps", "Covariates, in order", false, isVolume, true}};
  rich.options = describeOptions<RichOptions>();
  rich.presets = {{"paper", "as published", {{"scale", 7.0}}},
                  {"strict", "", {{"scale", 7.0}, {"level", 5.0}}}};
  rich.cpu = richRun(0, calls);
  rich.gpu = richRun(0.25f, calls);
  rich.compare = fakeCompare;
  rich.inputPlots = [calls](const AnalysisInputs& inputs, const OptionValues&) {
    ++calls->inputPlots;
    const auto design = inputs.find("design");
    if (design == inputs.end()) return std::vector<Plot>{};
    Plot plot;
    plot.name = "Design";
    plot.make = [layer = design->second](const Vec3<double>&) {
      const auto& table = std::get<TableLayer>(layer->content);
      Chart chart;
      chart.title = layer->name;
      chart.yLabel = "scan";
      chart.matrix = Chart::Matrix{table.columns, {}};
      for (const auto& row : table.rows) {
        std::vector<double> numbers;
        for (const auto& cell : row) numbers.push_back(std::stod(cell));
        chart.matrix->rows.push_back(numbers);
      }
      return chart;
    };
    return std::vector{plot};
  };
  rich.demoTitle = "a cube";
  rich.demo = [](const OptionValues&) { return AnalysisInputs{{"image", shared(volumeLayer("cube"))}}; };
  return rich;
}

inline Layer designTable() {
  Layer layer;
  layer.name = "design";
  TableLayer table;
  table.columns = {"visual", "auditory", "drift"};
  for (int i = 0; i < 40; ++i)
    table.rows.push_back(
        {i % 20 < 10 ? "1" : "0", std::to_string(std::sin(0.3 * i)), std::to_string(i / 40.0)});
  layer.content = table;
  return layer;
}

}  // namespace sulcus::test
