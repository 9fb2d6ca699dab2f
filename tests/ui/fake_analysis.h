#pragma once

#include "core/analysis/analysis.h"
#include "core/base/parallel/parallel_for.h"

#include <atomic>
#include <cmath>
#include <memory>

// A small analysis with every kind of option, for tests of the window and its models.
namespace sulcus::test {

enum class FakeMode { plain, doubled };

struct FakeOptions {
  double gain = 2;
  int rounds = 1;
  bool failing = false;
  FakeMode mode = FakeMode::plain;
  double tolerance = 1e-6;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(gain, numberOption("gain", "Gain", "mm", {0, 100, 0.5}, "What every value is multiplied with."));
    visit(rounds, numberOption("rounds", "Rounds", "", {1, 1000000000, 1}, "How long it takes."));
    visit(failing, toggleOption("failing", "Fail", "Ends with an error."));
    visit(mode, choiceOption("mode", "Mode", {"plain", "doubled"}, "doubled multiplies by two again."));
    visit(tolerance, advanced(numberOption("tolerance", "Tolerance", "", {1e-9, 1, 0}, "Of nothing.")));
  }
};

inline Layer volumeLayer(const std::string& name, Vec3<int> size = {8, 8, 8}, float value = 1,
                         int count = 1) {
  Grid grid;
  grid.size = size;
  auto series = std::make_shared<Series<float>>(grid, count);
  for (std::size_t i = 0; i < series->values.size(); ++i) series->values[i] = value + float(i % 7);
  Layer layer;
  layer.name = name;
  layer.content = VolumeLayer{series, {}, 0, {}};
  return layer;
}

inline LayerPtr shared(Layer layer) { return std::make_shared<const Layer>(std::move(layer)); }

/// Uses CPU time for `rounds`, then multiplies; `offset` makes the backends differ.
inline Analysis::Run fakeRun(float offset) {
  return [offset](const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                  const Analysis::Preview&) {
    const auto options = optionsFrom<FakeOptions>(values);
    if (options.failing) throw Error("The image cannot be used", "the test asked for it", "switch Fail off");
    std::atomic<double> sink{0};
    parallelFor(options.rounds, 16, progress.part(0, 1, "multiply"), [&](std::int64_t round) {
      double x = double(round);
      for (int i = 0; i < 2000; ++i) x = std::sin(x) + 1;
      sink = x;
    });
    const auto& in = *std::get<VolumeLayer>(inputs.find("image")->second->content).series;
    auto out = std::make_shared<Series<float>>(in);
    const double factor = options.gain * (options.mode == FakeMode::doubled ? 2 : 1);
    for (float& value : out->values) value = float(value * factor) + offset;
    RunResult result;
    Layer main, extra;
    main.name = "product";
    main.content = VolumeLayer{out, {}, 0, {}};
    extra = main;
    extra.name = "extra";
    extra.display.visible = false;
    result.layers = {main, extra};
    result.notes = {"multiplied by " + std::to_string(factor)};
    result.stages = {{"multiply", offset == 0 ? 1.0 : 0.25}};
    result.seconds = offset == 0 ? 1.0 : 0.25;
    result.items = double(in.grid.voxels());
    result.itemName = "voxels";
    return result;
  };
}

inline Comparison fakeCompare(const RunResult& a, const RunResult& b, const Progress& = {}) {
  const auto& x = *std::get<VolumeLayer>(a.layers.front().content).series;
  const auto& y = *std::get<VolumeLayer>(b.layers.front().content).series;
  auto difference = std::make_shared<Series<float>>(x);
  AgreementRow row{"product", "mm", 0, 0, 0, 0, 0.5, 1, double(x.values.size())};
  std::size_t within = 0;
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double d = std::abs(double(x.values[i]) - y.values[i]);
    difference->values[i] = float(d);
    row.maximum = std::max(row.maximum, d);
    row.mean += d / double(x.values.size());
    within += d <= row.tolerance;
  }
  row.percentile95 = row.maximum;
  row.shareWithin = double(within) / double(x.values.size());
  Layer layer;
  layer.name = "difference";
  layer.content = VolumeLayer{difference, {}, 0, {}};
  return {{row}, {{{1, 2, 3}, row.maximum}}, layer};
}

inline Analysis fakeAnalysis() {
  Analysis fake;
  fake.name = "fake";
  fake.title = "Fake";
  fake.summary = "Multiplies an image";
  const auto isVolume = [](const Layer& layer) { return std::holds_alternative<VolumeLayer>(layer.content); };
  const auto isLabels = [](const Layer& layer) { return std::holds_alternative<LabelsLayer>(layer.content); };
  fake.inputs = {{"image", "Image", "What is multiplied", true, isVolume},
                 {"mask", "Mask", "Where", false, isLabels}};
  fake.options = describeOptions<FakeOptions>();
  fake.cpu = fakeRun(0);
  fake.gpu = fakeRun(0.25f);
  fake.advice = [](const AnalysisInputs&, const OptionValues& values) {
    return "gain is " + formatOption(values.at("gain"));
  };
  fake.compare = fakeCompare;
  fake.memory = [](const AnalysisInputs&, const OptionValues&) { return MemoryNeed{1e6, 2e9}; };
  fake.demoTitle = "a cube";
  fake.demo = [](const OptionValues&) { return AnalysisInputs{{"image", shared(volumeLayer("cube"))}}; };
  return fake;
}

inline DeviceReport oneDevice(double freeBytes = 8e9) {
  return {{{0, "Test GPU", 16e9, freeBytes, "9.0", 100}}, ""};
}

}  // namespace sulcus::test
