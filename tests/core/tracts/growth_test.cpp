#include "core/tracts/growth.h"

#include "core/phantom/tracts_phantom.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

struct GrowthTest : testing::Test {
  TractInput input;
  TractOptions options;

  GrowthTest() {
    input.functions = phantom::makeTractsPhantom({}).functions;
    options.seedRegions = "sphere:0,0,4,6; box:0,-25,4,10,4,6";
    options.seedCount = 300;
    options.minLength = 10;
  }
  LineGrowth growth() const {
    const auto plan = std::make_shared<const TractPlan>(planTracts(input, options, {}));
    return LineGrowth(holdPlan(plan), seedsFor(*plan, input, options), options.lines);
  }
};

/// Whether `lines` are the first lines of `all`.
bool areFirstOf(const Tracts& all, const Tracts& lines) {
  return lines.first.size() <= all.first.size() &&
         std::equal(lines.first.begin(), lines.first.end(), all.first.begin()) &&
         std::equal(lines.points.begin(), lines.points.end(), all.points.begin());
}

TEST_F(GrowthTest, GivesTheFirstLinesOfTheRun) {
  const Tracts all = *findTracts(input, options, {}).tracts;
  LineGrowth growth = this->growth();
  growth.growFor(1e-6, {});  // at least a few
  EXPECT_GT(growth.followed(), 0);
  EXPECT_LT(growth.followed(), 300);
  EXPECT_TRUE(areFirstOf(all, growth.lines()));
  while (!growth.isComplete()) growth.growFor(0.1, {});
  EXPECT_EQ(growth.followed(), 300);
  EXPECT_EQ(growth.lines().first, all.first);
  EXPECT_EQ(growth.lines().points, all.points);
}

TEST_F(GrowthTest, IsCompleteWithTheLinesThatAreWanted) {
  options.seedCount = 0;
  options.lines = 40;
  const TractResult run = findTracts(input, options, {});
  LineGrowth growth = this->growth();
  while (!growth.isComplete()) growth.growFor(1, {});
  EXPECT_EQ(growth.lines().points, run.tracts->points);
  EXPECT_EQ(growth.followed(), run.counts.seeds);
}

TEST_F(GrowthTest, StopsWhenCancelled) {
  std::stop_source stop;
  stop.request_stop();
  LineGrowth growth = this->growth();
  EXPECT_THROW(growth.growFor(1, Progress(stop.get_token(), {})), Cancelled);
}

}  // namespace
}  // namespace sulcus::tracts
