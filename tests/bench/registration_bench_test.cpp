#include "tests/bench/registration_bench.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus {
namespace {

const bench::RegistrationReport& quickReport() {
  static const auto report =
      bench::runRegistrationBench(bench::quickRegistrationBench(), [](const std::string&) {});
  return report;
}

TEST(RegistrationBench, MeasuresEverySizeOnEveryProcessor) {
  const auto& report = quickReport();
  const std::size_t processors = 1 + (report.threads > 1) + report.hasGpu;

  EXPECT_EQ(report.rows.size(), 2 * processors);
  EXPECT_EQ(report.runs.size(), processors);
  for (const auto& row : report.rows) {
    EXPECT_GT(row.iteration, 0) << row.processor;
    EXPECT_EQ(row.kernel > 0, row.processor == "GPU");
    EXPECT_EQ(row.copyShare > 0, row.processor == "GPU");
  }
}

TEST(RegistrationBench, SaysHowGoodARunWas) {
  for (const auto& run : quickReport().runs) {
    SCOPED_TRACE(run.processor);
    EXPECT_GT(run.descent, 0);
    EXPECT_GT(run.whole, 0);
    EXPECT_GT(run.iterations, 0);
    EXPECT_GT(run.smallestJ, 0);
    EXPECT_GT(run.correlation, 0.5);
    EXPECT_LE(run.meanError, run.highError);
    EXPECT_NEAR(run.meanError, quickReport().runs.front().meanError, 1e-6)
        << "every processor finds the same";
  }
}

TEST(RegistrationBench, WritesATableJsonAndAFigure) {
  const auto& report = quickReport();
  const auto prefix = (std::filesystem::temp_directory_path() / "sulcus-registration-figure").string();

  EXPECT_THAT(bench::markdown(report), testing::HasSubstr("| CPU, 1 thread | 24³ |"));
  const auto parsed = nlohmann::json::parse(bench::json(report));
  EXPECT_EQ(parsed["rows"].size(), report.rows.size());
  bench::writeFigure(report, prefix);
  std::ostringstream svg;
  svg << std::ifstream(prefix + ".svg").rdbuf();
  EXPECT_THAT(svg.str(), testing::HasSubstr("CPU, 1 thread</text>"));
  std::filesystem::remove(prefix + ".svg");
  std::filesystem::remove(prefix + ".csv");
}

TEST(RegistrationBench, FitsTheGrowthBetweenNeighbouringSizes) {
  bench::RegistrationReport report;
  for (const std::int64_t size : {10, 20, 40}) {
    bench::RegistrationRow row;
    row.size = size, row.iteration = size < 15 ? 8e-3 : 1e-6 * std::pow(double(size), 3);
    report.rows.push_back(row);
  }

  EXPECT_EQ(bench::growthExponent(report, report.rows[0]), 0);
  EXPECT_NEAR(bench::growthExponent(report, report.rows[1]), 0, 1e-12);
  EXPECT_NEAR(bench::growthExponent(report, report.rows[2]), 1, 1e-12);
}

}  // namespace
}  // namespace sulcus
