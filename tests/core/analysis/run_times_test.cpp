#include "core/analysis/run_times.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(RunTimes, NameStagesAndWhatWasWaitedFor) {
  RunResult result;
  result.stages = {{"Fit", 0.5}, {"Peaks", 0.25}};
  result.waited = 0.8;
  EXPECT_EQ(timesText(result), "Fit 0.5 s, Peaks 0.25 s, 0.8 s in all");
  result.gpu = {0.4, 0.1};
  EXPECT_EQ(
      timesText(result),
      "Fit 0.5 s, Peaks 0.25 s, 0.8 s in all; waited for the GPU 0.4 s (50 %), of which 0.1 s for copies");
}

}  // namespace
}  // namespace sulcus
