#include "core/analysis/run_times.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(RunTimes, NameStagesAndWhatWasWaitedFor) {
  RunResult result;
  result.stages = {{"Fit", 0.5}, {"Peaks", 0.25}, {"Maps", 0.0005}};
  result.waited = 0.8;
  EXPECT_EQ(timesText(result), "0.8 s in all: fit 0.5 s, peaks 0.25 s");
  result.gpu = {0.4, 0.1};
  EXPECT_EQ(
      timesText(result),
      "0.8 s in all: fit 0.5 s, peaks 0.25 s; waited for the GPU 0.4 s (50 %), of which 0.1 s for copies");
}

}  // namespace
}  // namespace sulcus
