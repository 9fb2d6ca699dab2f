#include "core/base/stage_clock.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(StageClockTest, NeverRunsBackwards) {
  const StageClock clock;
  const double first = clock.seconds(), second = clock.seconds();
  EXPECT_GE(first, 0);
  EXPECT_GE(second, first);
}

TEST(StageClockTest, NamesStagesInTheirOrder) {
  StageClock clock;
  EXPECT_TRUE(clock.stages().empty());
  clock.finish("Fit");
  clock.finish("Peaks");
  ASSERT_EQ(clock.stages().size(), 2u);
  EXPECT_EQ(clock.stages()[0].name, "Fit");
  EXPECT_EQ(clock.stages()[1].name, "Peaks");
  for (const StageTime& stage : clock.stages()) EXPECT_GE(stage.seconds, 0);
}

TEST(StageClockTest, AddsUpWhatHasOneName) {
  StageClock clock;
  clock.finish("Upload");
  const double once = clock.stages()[0].seconds;
  clock.finish("Fit");
  clock.finish("Upload");
  ASSERT_EQ(clock.stages().size(), 2u);
  EXPECT_GE(clock.stages()[0].seconds, once);
}

TEST(StageClockTest, CountsATimeOnce) {
  const StageClock all;
  StageClock clock;
  clock.finish("Fit");
  clock.finish("Peaks");
  EXPECT_LE(clock.stages()[0].seconds + clock.stages()[1].seconds, all.seconds());
}

TEST(StageClockTest, OmitsWhatARestartEnds) {
  const StageClock all;
  StageClock clock;
  clock.finish("Fit");
  clock.restart();
  EXPECT_LE(clock.seconds(), all.seconds());
  EXPECT_EQ(clock.stages().size(), 1u);
}

}  // namespace
}  // namespace sulcus
