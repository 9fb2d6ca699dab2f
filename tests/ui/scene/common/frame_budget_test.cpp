#include "ui/scene/common/frame_budget.h"

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

TEST(FrameBudget, ShowsAllGlyphsWhileFramesAreFast) {
  FrameBudget budget(0.05);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(budget.record(0.04));
  EXPECT_EQ(budget.oneIn(), 1);
  EXPECT_EQ(budget.note(), "");
}

TEST(FrameBudget, ForgivesTheFirstFrameAndASingleSlowOne) {
  FrameBudget budget(0.05);
  EXPECT_FALSE(budget.record(3));
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(budget.record(0.2));
    EXPECT_FALSE(budget.record(0.03));
  }
}

TEST(FrameBudget, ThinsUntilFramesAreWithinTheBudgetAndSaysSo) {
  FrameBudget budget(0.05);
  for (int i = 0; i < 20; ++i) budget.record(0.4 / budget.oneIn());
  EXPECT_LE(0.4 / budget.oneIn(), 0.05);
  EXPECT_LE(budget.oneIn(), 16);
  EXPECT_EQ(budget.note(), "showing 1 in " + std::to_string(budget.oneIn()) + " glyphs");
}

TEST(FrameBudget, SettlesInsteadOfSwinging) {
  for (const double all : {0.06, 0.1, 0.4, 2.0}) {
    FrameBudget budget(0.05);
    for (int i = 0; i < 40; ++i) budget.record(all / budget.oneIn());
    const int settled = budget.oneIn();
    for (int i = 0; i < 20; ++i) EXPECT_FALSE(budget.record(all / budget.oneIn())) << all;
    EXPECT_EQ(budget.oneIn(), settled);
  }
}

TEST(FrameBudget, OnlyShowsMoreWhereGlyphsAreTooFewToBeSlow) {
  FrameBudget budget(0.05);
  budget.reset(8);
  budget.record(0.01, false);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(budget.record(0.2, false));
  EXPECT_TRUE(budget.record(0.001, false));
  EXPECT_EQ(budget.oneIn(), 4);
}

TEST(FrameBudget, ThinsStepByStepWhenTheMachineStalls) {
  FrameBudget budget(0.05);
  for (int i = 0; i < 3; ++i) budget.record(5);
  EXPECT_EQ(budget.oneIn(), 4);
}

TEST(FrameBudget, ShowsMoreAgainWhenThereIsTime) {
  FrameBudget budget(0.05);
  for (int i = 0; i < 20; ++i) budget.record(0.4 / budget.oneIn());
  ASSERT_GT(budget.oneIn(), 1);
  budget.expectNew();  // another position, with little to show
  for (int i = 0; i < 40; ++i) budget.record(0.001);
  EXPECT_EQ(budget.oneIn(), 1);
}

TEST(FrameBudget, ThinsWhereEveryFrameBuildsAndIsSlow) {
  FrameBudget budget(0.05);
  for (int i = 0; i < 20; ++i) {
    budget.expectNew();  // scrolling
    budget.record(0.4 / budget.oneIn());
  }
  EXPECT_LE(0.4 / budget.oneIn(), 0.05);
}

TEST(FrameBudget, ShowsNoMoreWhenBuildingThatWouldMakeTheUserWait) {
  FrameBudget budget(0.05);
  budget.reset(8);
  budget.record(0.3);  // building
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(budget.record(0.001));
  EXPECT_EQ(budget.oneIn(), 8);
}

TEST(FrameBudget, LeavesNothingOutOfAPicture) {
  FrameBudget budget(0.05);
  budget.reset(8);
  budget.setStill(true);
  EXPECT_EQ(budget.oneIn(), 1);
  EXPECT_EQ(budget.note(), "");
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(budget.record(9));
  budget.setStill(false);
  EXPECT_EQ(budget.oneIn(), 8) << "as before the picture";
}

}  // namespace
}  // namespace sulcus::ui::scene
