#include "tests/bench/registration/registration_bench.h"

#include "tests/support/temporary_folder.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

const RegistrationMeasurements& quickReport() {
  static const auto report = runRegistrationBench(quickRegistrationBench(), [](const std::string&) {});
  return report;
}

TEST(RegistrationBench, MeasuresEverySizeOnEveryProcessor) {
  const auto& report = quickReport();
  const std::size_t processors = 1 + (report.threads > 1) + report.hasGpu, shared = 2 * report.hasGpu;

  EXPECT_EQ(report.rows.size(), 2 * (3 * processors + shared))
      << "three similarities, two of them shared out, two sizes";
  EXPECT_EQ(report.runs.size(), processors);
  for (const auto& row : report.rows) {
    EXPECT_GT(row.iteration, 0) << row.processor;
    EXPECT_EQ(row.kernel > 0, row.processor.find("GPU") != std::string::npos);
    EXPECT_EQ(row.copyShare > 0, row.processor == "GPU" && row.similarity == "l2");
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
  const test::TemporaryFolder folder;
  const std::string prefix = folder / "figure";

  EXPECT_THAT(markdown(reportOf(report)), testing::HasSubstr("| CPU, 1 thread | l2 | 16³ |"));
  const auto parsed = nlohmann::json::parse(json(reportOf(report)));
  EXPECT_EQ(parsed["rows"].size(), report.rows.size());
  writeFigure(report, prefix);
  std::ostringstream svg;
  svg << std::ifstream(prefix + ".svg").rdbuf();
  EXPECT_THAT(svg.str(), testing::HasSubstr("CPU, 1 thread, l2</text>"));
}

}  // namespace
}  // namespace sulcus::bench
