#pragma once

#include "core/image/tracts/tract_regions.h"
#include "tests/ui/fake_analysis.h"

#include <atomic>
#include <memory>

// An analysis with growing lines, for tests of the window and its models.
namespace sulcus::test {

struct GrowthProbe {
  std::atomic<int> begun = 0;
  std::atomic<bool> failing = false;  ///< a step throws
};

/// Of three seeds, each call follows one more: a line along z from the first region, or from 0 for paint.
class FakeGrowth {
 public:
  explicit FakeGrowth(std::shared_ptr<GrowthProbe> probe) : probe_(std::move(probe)) {}

  Analysis::Growth::Lines step(const AnalysisInputs& inputs, const OptionValues& options) {
    if (probe_->failing) throw Error("Nothing grows", "the test asked for it", "ask otherwise");
    if (inputs != inputs_ || options != options_) grown_ = 0;
    inputs_ = inputs;
    options_ = options;
    grown_ = std::min(3, grown_ + 1);
    const auto text = std::get<std::string>(options.at("regions"));
    Vec3<double> from;
    if (!text.empty()) from = regionFrom(text.substr(0, text.find(';')), TractRegion::Role::seed).center;
    auto tracts = std::make_shared<Tracts>();
    for (int line = 0; line < grown_; ++line) {
      for (int i = 0; i < 20; ++i)
        tracts->points.push_back({float(from.x), float(from.y + line), float(from.z + i)});
      tracts->first.push_back(tracts->points.size());
    }
    Analysis::Growth::Lines lines;
    lines.layer.content = TractsLayer{tracts};
    lines.followed = grown_;
    lines.seeds = 3;
    return lines;
  }

 private:
  std::shared_ptr<GrowthProbe> probe_;
  AnalysisInputs inputs_;
  OptionValues options_;
  int grown_ = 0;
};

inline Analysis growingAnalysis(const std::shared_ptr<GrowthProbe>& probe) {
  Analysis made = fakeAnalysis();
  OptionInfo regions = textOption("regions", "Regions", "Where lines begin.");
  regions.defaultValue = std::string();
  OptionInfo seeds = numberOption("seeds", "Seeds", "", {0, 1e9, 1}, "How many.");
  seeds.defaultValue = std::int64_t(0);
  made.options.push_back(regions);
  made.options.push_back(seeds);
  made.growth.regions = "regions";
  made.growth.painted = "mask";
  made.growth.options = {{"seeds", std::int64_t(3)}};
  made.growth.begin = [probe](Backend) -> Analysis::Growth::Step {
    ++probe->begun;
    return [growth = std::make_shared<FakeGrowth>(probe)](
               const AnalysisInputs& inputs, const OptionValues& options, double, const Progress&) {
      return growth->step(inputs, options);
    };
  };
  return made;
}

}  // namespace sulcus::test
