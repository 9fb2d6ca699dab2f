#include "tests/bench/tracts/tracts_bench.h"

#include <gtest/gtest.h>

namespace sulcus::bench {
namespace {

TEST(TractBench, MeasuresLinesThatAreTheSameOnAllProcessors) {
  const TractMeasurements measured = runTractBench(quickTractBench(), [](const std::string&) {});
  ASSERT_GE(measured.rows.size(), 2u);
  for (const TractRow& row : measured.rows) {
    EXPECT_GT(row.lines, 100) << row.processor;
    EXPECT_GT(row.points, 30 * row.lines);
    EXPECT_TRUE(row.same) << row.processor << " " << row.method;
  }
  EXPECT_NE(markdown(reportOf(measured)).find("probable"), std::string::npos);
}

}  // namespace
}  // namespace sulcus::bench
