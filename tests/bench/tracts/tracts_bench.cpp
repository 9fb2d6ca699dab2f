#include "tests/bench/tracts/tracts_bench.h"

#include "core/base/parallel/parallel_for.h"
#include "core/image/diffusion/tensor_index.h"
#include "core/tracts/growth.h"
#include "gpu/runtime/device.h"
#include "gpu/tracts/tracts.h"
#include "tests/bench/cases.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bench {
namespace {

constexpr int kOrder = 8;

void addPower(const Vec3<double>& t, double share, std::int64_t voxel, Series<float>& functions) {
  constexpr auto classes = indexClasses<kOrder>();
  for (std::size_t u = 0; u < classes.size(); ++u)
    functions.at(voxel, int(u)) += float(share * std::pow(t.x, classes[u].i) * std::pow(t.y, classes[u].j) *
                                         std::pow(t.z, classes[u].k));
}

/// Within a ball: circles around z, and circles around x with 0.7 of their amplitude.
std::shared_ptr<const Series<float>> crossingCircles(int size) {
  constexpr double kSpacing = 1.25, kRadius = 0.42, kNearAxis = 5;
  Grid grid;
  grid.size = {size, size, size};
  for (std::size_t axis = 0; axis < 3; ++axis) grid.worldFromVoxel.m[axis][axis] = kSpacing;
  const double first = -0.5 * (size - 1) * kSpacing;
  grid.worldFromVoxel.t = {first, first, first};
  Series<float> functions(grid, tensorEntries(kOrder));
  parallelFor(grid.voxels(), 256, {}, [&](std::int64_t v) {
    const Vec3<int> at = grid.voxel(v);
    const Vec3<double> p = grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)});
    if (norm(p) > kRadius * size * kSpacing) return;
    if (std::hypot(p.x, p.y) > kNearAxis) addPower(normalized(Vec3<double>{-p.y, p.x, 0}), 1, v, functions);
    if (std::hypot(p.y, p.z) > kNearAxis) addPower(normalized(Vec3<double>{0, -p.z, p.y}), 0.7, v, functions);
  });
  return std::make_shared<const Series<float>>(std::move(functions));
}

class TractBench {
 public:
  TractBench(const TractBenchOptions& options, const std::function<void(const std::string&)>& tell)
      : options_(options), tell_(tell), measured_{thisMachine(), {}} {
    input_.functions = crossingCircles(options.size);
  }

  TractMeasurements run() {
    for (const auto method : {tracts::TractMethod::fod, tracts::TractMethod::probable}) {
      first_ = nullptr;
      withThreads(1, [&] { measure("CPU, 1 thread", method, options_.cpuSeeds, tracts::findTracts); });
      if (measured_.threads > 1) measure("CPU, all threads", method, options_.cpuSeeds, tracts::findTracts);
      if (!measured_.hasGpu) continue;
      measure("GPU", method, options_.cpuSeeds, gpu::tracts::findTracts);
      measure("GPU", method, options_.seeds, gpu::tracts::findTracts);
      if (!hasGpus(measured_, options_.shares)) continue;
      gpu::useDevices(options_.shares);
      measure(nameOfShares(options_.shares), method, options_.seeds, gpu::tracts::findTracts);
      gpu::useDevices({0});
    }
    for (const auto method : {tracts::TractMethod::fod, tracts::TractMethod::probable}) {
      measureGrowth("CPU, all threads", method, tracts::holdPlan);
      if (measured_.hasGpu) measureGrowth("GPU", method, gpu::tracts::holdPlan);
    }
    return std::move(measured_);
  }

 private:
  void measureGrowth(const std::string& processor, tracts::TractMethod method, tracts::HoldPlan& hold) {
    GrowthRow row;
    row.processor = processor;
    row.method = method == tracts::TractMethod::fod ? "fod" : "probable";
    const std::string name = format("%s, %s, growth", processor.c_str(), row.method.c_str());
    if (!isWanted(name, options_.only)) return;
    constexpr int kSteps = 25;
    constexpr double kSecondsOfStep = 0.04;
    tracts::TractOptions options;
    options.method = method;
    options.seedCount = 1'000'000;
    options.maxLength = 125;
    options.cutoff = 0.1;
    const auto sphere = [&](int step) {
      options.seedRegions = format("sphere:%d,%g,4,8", step - kSteps / 2, 0.18 * options_.size);
    };
    sphere(0);
    const auto plan = std::make_shared<const tracts::TractPlan>(planTracts(input_, options, {}));
    const tracts::HeldPlan held = hold(plan);
    std::vector<double> seconds, seeds, lines;
    for (int step = 0; step < kSteps; ++step) {
      sphere(step);
      const double begin = now();
      tracts::LineGrowth growth(held, seedsFor(*plan, input_, options), 0);
      growth.growFor(kSecondsOfStep, {});
      seconds.push_back(now() - begin);
      seeds.push_back(double(growth.followed()));
      lines.push_back(double(growth.lines().lines()));
    }
    row.seconds = median(seconds);
    row.seeds = std::int64_t(median(seeds));
    row.lines = std::int64_t(median(lines));
    measured_.growth.push_back(row);
    tell_(name + format(": %lld lines in %.3f s", static_cast<long long>(row.lines), row.seconds));
  }

  void measure(const std::string& processor, tracts::TractMethod method, std::int64_t seeds,
               tracts::FindTracts& find) {
    TractRow row;
    row.processor = processor, row.seeds = seeds;
    row.method = method == tracts::TractMethod::fod ? "fod" : "probable";
    const std::string name =
        format("%s, %s, %lld seeds", processor.c_str(), row.method.c_str(), static_cast<long long>(seeds));
    if (!isWanted(name, options_.only)) return;
    tracts::TractOptions options;
    options.method = method, options.seedCount = seeds, options.maxLength = 125, options.cutoff = 0.1;
    find(input_, options, {});  // a warm-up
    const double begin = now();
    const tracts::TractResult result = find(input_, options, {});
    row.whole = now() - begin;
    row.stages = result.stages;
    for (const StageTime& stage : result.stages)
      if (stage.name == "Lines") row.seconds = stage.seconds;
    row.lines = std::int64_t(result.tracts->lines());
    row.points = std::int64_t(result.tracts->points.size());
    if (!first_ || first_->lines() > result.tracts->lines()) first_ = result.tracts;
    const auto common = std::min(first_->points.size(), result.tracts->points.size());
    row.same = std::equal(first_->points.begin(), first_->points.begin() + std::ptrdiff_t(common),
                          result.tracts->points.begin());
    measured_.rows.push_back(row);
    tell_(name + format(": %lld lines, %.2f s, %.0f lines/s%s", static_cast<long long>(row.lines),
                        row.seconds, double(row.lines) / row.seconds, row.same ? "" : ", OTHER POINTS"));
  }

  TractBenchOptions options_;
  std::function<void(const std::string&)> tell_;
  TractMeasurements measured_;
  tracts::TractInput input_;
  std::shared_ptr<const Tracts> first_;
};

}  // namespace

TractBenchOptions quickTractBench() {
  TractBenchOptions options;
  options.size = 40, options.seeds = 5000, options.cpuSeeds = 300;
  return options;
}

TractMeasurements runTractBench(const TractBenchOptions& options,
                                const std::function<void(const std::string&)>& tell) {
  return TractBench(options, tell).run();
}

Report reportOf(const TractMeasurements& measured) {
  using Row = TractRow;
  return {
      measured,
      "Tracts",
      {{"rows",
        "Functions of order 8 in a ball of 1.25 mm voxels, two fields of circles that cross; steps of "
        "0.625 mm, turns to 45°, at most 200 steps. Seconds of the lines alone, with their way to host "
        "memory; whole: with directions and joining. same: the points of the first processor.",
        tableOf<Row>(
            measured.rows,
            {{"processor", "processor", &Row::processor},
             {"method", "method", &Row::method},
             {"seeds", "seeds", &Row::seeds},
             {"lines", "lines", &Row::lines},
             {"points", "points", &Row::points},
             {"seconds", "lines, s", &Row::seconds, kThreeDigits},
             {"whole", "whole, s", &Row::whole, kThreeDigits},
             {"linesASecond",
              "lines/s",
              [](const Row& row) -> Cell { return double(row.lines) / row.seconds; },
              {"%.0f"}},
             {"stages", "", &Row::stages},
             {"same", "same", [](const Row& row) -> Cell { return std::string(row.same ? "yes" : "no"); }}})},
       {"growth",
        "Lines that grow from a sphere of 8 mm while it is moved; medians of 25 steps, each given 0.04 s.",
        tableOf<GrowthRow>(measured.growth, {{"processor", "processor", &GrowthRow::processor},
                                             {"method", "method", &GrowthRow::method},
                                             {"seconds", "s", &GrowthRow::seconds, kThreeDigits},
                                             {"seeds", "seeds", &GrowthRow::seeds},
                                             {"lines", "lines", &GrowthRow::lines}})}}};
}

}  // namespace sulcus::bench
