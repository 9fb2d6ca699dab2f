#include "app/analyses/tracts/tracts_growth.h"

#include "app/analyses/table.h"
#include "tests/app/analyses/analysis_runs.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

const Tracts& linesOf(const Analysis::Growth::Lines& grown) {
  return *std::get<TractsLayer>(grown.layer.content).tracts;
}

TEST(TractsGrowth, GivesWhatARunWithTheSameRegionsGives) {
  const Analysis& row = *std::ranges::find(table(), "tracts", &Analysis::name);
  AnalysisInputs inputs = row.demo(defaultsOf(row.demoOptions));
  OptionValues values = defaultsOf(row.options);
  values["method"] = std::string("fod");
  values["min-length"] = 10.0;
  values["seeds"] = std::int64_t(200);
  const Analysis::Growth::Step step = row.growth.begin(Backend::cpu);
  for (const char* regions : {"sphere:0,0,4,6", "box:0,-25,4,10,4,6", "", "sphere:0,0,4,6"}) {
    values[row.growth.regions] = std::string(regions);  // without: the painted mask of the demo
    Analysis::Growth::Lines grown;
    do grown = step(inputs, values, 0.1, {});
    while (grown.followed < grown.seeds);
    EXPECT_EQ(grown.followed, 200);
    const RunResult run = row.cpu(inputs, values, {}, {});
    const auto& expected = *std::get<TractsLayer>(run.layers.front().content).tracts;
    EXPECT_GT(expected.lines(), 10u);
    EXPECT_EQ(linesOf(grown).points, expected.points) << regions;
  }
  values["cutoff"] = 0.3;
  EXPECT_GT(step(inputs, values, 0.1, {}).followed, 0) << "another plan";
  inputs.erase("fod");
  EXPECT_THROW(step(inputs, values, 0.1, {}), Error);
}

}  // namespace
}  // namespace sulcus::app::analyses
