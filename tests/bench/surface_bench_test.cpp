#include "tests/bench/surface_bench.h"

#include "core/surface/neighbours.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus {
namespace {

const bench::SurfaceReport& quickReport() {
  static const auto report = bench::runSurfaceBench(bench::quickSurfaceBench(), [](const std::string&) {});
  return report;
}

TEST(SurfaceBench, MeasuresEverySizeOnEveryProcessor) {
  const auto& report = quickReport();
  const std::size_t processors = 1 + (report.threads > 1) + report.hasGpu;

  EXPECT_EQ(report.rows.size(), (2 * 2 + 2) * processors);
  EXPECT_EQ(report.runs.size(), processors);
  for (const auto& row : report.rows) {
    EXPECT_GT(row.whole, 0) << row.processor;
    EXPECT_EQ(row.recall, 1) << row.processor;
    EXPECT_EQ(row.checked, row.elements);
    EXPECT_EQ(row.kernel > 0, row.processor == "GPU");
    EXPECT_EQ(row.limitShare > 0, row.processor == "GPU");
  }
  for (const auto& run : report.runs) {
    EXPECT_GT(run.whole, 0);
    EXPECT_LT(run.farthest, 1e-3);
    EXPECT_FALSE(run.stages.empty());
  }
}

TEST(SurfaceBench, WritesATableJsonAndAFigure) {
  const auto& report = quickReport();
  const auto prefix = (std::filesystem::temp_directory_path() / "sulcus-surface-figure").string();

  EXPECT_THAT(bench::markdown(report), testing::HasSubstr("| CPU, 1 thread | mask | 5³ | 1000 |"));
  const auto parsed = nlohmann::json::parse(bench::json(report));
  EXPECT_EQ(parsed["rows"].size(), report.rows.size());
  bench::writeFigure(report, prefix);
  std::ostringstream svg;
  svg << std::ifstream(prefix + ".svg").rdbuf();
  EXPECT_THAT(svg.str(), testing::HasSubstr("CPU, 1 thread, mask</text>"));
  std::filesystem::remove(prefix + ".svg");
  std::filesystem::remove(prefix + ".csv");
}

TEST(SurfaceBench, FitsTheGrowthBetweenNeighbouringSizes) {
  bench::SurfaceReport report;
  for (const std::int64_t elements : {1000, 2000, 4000}) {
    bench::SurfaceRow row;
    row.elements = elements, row.whole = elements < 1500 ? 4e-3 : 1e-9 * std::pow(double(elements), 2);
    report.rows.push_back(row);
  }

  EXPECT_EQ(bench::growthExponent(report, report.rows[0]), 0);
  EXPECT_NEAR(bench::growthExponent(report, report.rows[1]), 0, 1e-12);
  EXPECT_NEAR(bench::growthExponent(report, report.rows[2]), 2, 1e-12);
}

TEST(SurfaceBench, MakesBandsWithAndWithoutTies) {
  for (const auto data : {bench::SurfaceData::mask, bench::SurfaceData::gray}) {
    Volume<float> phi;
    const Band band = bench::bandOfSize(data, 2000, 3, phi);
    EXPECT_EQ(band.count(), 2000);
    const PatchNeighbours found = findNeighbours(band, 1, {});
    const auto alike = std::count(found.distance.begin(), found.distance.end(), 0.f);
    EXPECT_EQ(alike > 10, data == bench::SurfaceData::mask) << alike;
  }
}

}  // namespace
}  // namespace sulcus
