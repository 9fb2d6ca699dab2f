#include "tests/bench/fibers/fibers_bench.h"

#include "tests/bench/fibers/fibers_data.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

using testing::HasSubstr;

const FiberMeasurements& quickReport() {
  static const auto report = runFiberBench(quickFiberBench(), [](const std::string&) {});
  return report;
}

TEST(FiberBench, MeasuresEveryProcessor) {
  std::set<std::string> measured;
  for (const auto& row : quickReport().rows) measured.insert(row.processor);

  EXPECT_EQ(measured.count("CPU, 1 thread"), 1u);
  EXPECT_EQ(measured.count("CPU, all threads"), quickReport().threads > 1);
  EXPECT_EQ(measured.count("GPU"), quickReport().hasGpu);
}

TEST(FiberBench, FindsTheMaximaWhateverTheSetting) {
  for (const auto& row : quickReport().rows) {
    SCOPED_TRACE(row.shift + " on " + row.processor);
    EXPECT_GT(row.kernel, 0);
    EXPECT_GT(row.gflops, 0);
    EXPECT_GT(row.iterations, 1);
    if (row.shift == "adaptive") {
      EXPECT_LE(row.missed, 0.01);
    }
  }
}

TEST(FiberBench, MeasuresOnlyWhatIsRequested) {
  FiberBenchOptions options = quickFiberBench();
  options.only = "CPU.*csd|CPU.* 64 starts, 100 voxels";
  const auto report = runFiberBench(options, [](const std::string&) {});
  ASSERT_EQ(report.runs.size(), 1u);
  EXPECT_EQ(report.runs[0].model, "csd");
  ASSERT_EQ(report.rows.size(), report.threads > 1 ? 2u : 1u);
  EXPECT_EQ(report.rows[0].voxels, 100);
}

TEST(FiberBench, NoticesMissingMaxima) {
  fibers::FiberOptions options;
  const auto forms = fiberForms(Forms::fibers, 4, 20);
  const auto reference = referenceMaxima(forms, 20, options);
  const Series<float> none(forms.grid, 3);

  EXPECT_EQ(reference.size(), 20u);
  for (const auto& maxima : reference) EXPECT_FALSE(maxima.empty());
  Series<float> first(forms.grid, 3);
  std::size_t all = 0;
  for (std::int64_t i = 0; i < 20; ++i) {
    all += reference[std::size_t(i)].size();
    for (int c = 0; c < 3; ++c) first.at(i, c) = float(reference[std::size_t(i)][0][c]);
  }
  Series<float> unknown(forms.grid, 3, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(missedMaxima(reference, unknown), 1);
  EXPECT_NEAR(missedMaxima(reference, first), 1 - 20.0 / double(all), 1e-12);
}

TEST(FiberBench, CountsFlopAsThePaper) {
  EXPECT_EQ(paperFlop(4), 140);
  EXPECT_EQ(paperFlop(6), 63 * 7);
}

TEST(FiberBench, WritesATableJsonAndTheFigure) {
  const auto& report = quickReport();

  EXPECT_THAT(markdown(reportOf(report)), HasSubstr("| adaptive | fibers | 128 | CPU, 1 thread | 4 | 500 |"));
  const auto parsed = nlohmann::json::parse(json(reportOf(report)));
  EXPECT_EQ(parsed["rows"].size(), report.rows.size());
  EXPECT_GT(parsed["rows"][0]["gflops"].get<double>(), 0);

  const test::TemporaryFolder folder;
  const std::string prefix = folder / "figure";
  writeFigure(report, prefix);
  std::stringstream svg, table;
  svg << std::ifstream(prefix + "-curves.svg").rdbuf();
  table << std::ifstream(prefix + "-table.csv").rdbuf();
  EXPECT_THAT(svg.str(), HasSubstr("<polyline"));
  EXPECT_THAT(table.str(), HasSubstr("\n\"adaptive\",\"fibers\",128,\"CPU, 1 thread\",4,500,"));
}

}  // namespace
}  // namespace sulcus::bench
