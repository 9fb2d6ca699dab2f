#include "tests/bench/activation/activation_bench.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

const ActivationMeasurements& quickReport() {
  static const auto report = runActivationBench(quickActivationBench(), [](const std::string&) {});
  return report;
}

TEST(ActivationBench, MeasuresEveryProcessor) {
  std::set<std::string> measured;
  for (const auto& row : quickReport().rows) measured.insert(row.processor);

  EXPECT_EQ(measured.count("CPU, 1 thread"), 1u);
  EXPECT_EQ(measured.count("CPU, all threads"), quickReport().threads > 1);
  EXPECT_EQ(measured.count("GPU"), quickReport().hasGpu);
}

TEST(ActivationBench, FindsTheSameMeansOnEveryProcessor) {
  for (const auto& row : quickReport().rows) {
    SCOPED_TRACE(row.processor);
    EXPECT_GT(row.transfers, 0);
    EXPECT_GE(row.distance, 0);
    EXPECT_LT(row.distance, 5);
    EXPECT_GT(row.rhat, 0.9);
    EXPECT_EQ(row.kernel > 0, row.processor == "GPU");
  }
}

TEST(ActivationBench, MeasuresOnlyWhatIsRequested) {
  ActivationBenchOptions options = quickActivationBench();
  options.only = "CPU, 1 thread.*with memory";
  const auto report = runActivationBench(options, [](const std::string&) {});
  ASSERT_EQ(report.rows.size(), 2u);  // both sizes, which are equal in a quick run
  for (const auto& row : report.rows) {
    EXPECT_TRUE(row.correlated);
    EXPECT_EQ(row.processor, "CPU, 1 thread");
  }
}

TEST(ActivationBench, WritesATableAndJson) {
  const auto& report = quickReport();

  EXPECT_THAT(markdown(reportOf(report)),
              testing::HasSubstr("| CPU, 1 thread | 1000 | 45 | 5 | 1 | 1 | white | 200 |"));
  const auto parsed = nlohmann::json::parse(json(reportOf(report)));
  EXPECT_EQ(parsed["rows"].size(), report.rows.size());
  EXPECT_GT(parsed["rows"][0]["transferSeconds"].get<double>(), 0);
}

}  // namespace
}  // namespace sulcus::bench
