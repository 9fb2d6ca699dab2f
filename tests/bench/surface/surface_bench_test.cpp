#include "tests/bench/surface/surface_bench.h"

#include "core/surface/neighbors.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sulcus::bench {
namespace {

const SurfaceMeasurements& quickReport() {
  static const auto report = runSurfaceBench(quickSurfaceBench(), [](const std::string&) {});
  return report;
}

TEST(SurfaceBench, MeasuresEverySizeOnEveryProcessor) {
  const auto& report = quickReport();
  const std::size_t processors = 1 + (report.threads > 1) + report.hasGpu, shared = 1 * report.hasGpu;

  EXPECT_EQ(report.rows.size(), (3 * 2 + 2) * (processors + shared));
  EXPECT_EQ(report.runs.size(), processors);
  for (const auto& row : report.rows) {
    EXPECT_GT(row.whole, 0) << row.processor;
    EXPECT_EQ(row.recall, 1) << row.processor;
    EXPECT_EQ(row.checked, row.elements);
    EXPECT_EQ(row.kernel > 0, row.processor.find("GPU") != std::string::npos);
    EXPECT_EQ(row.limitShare > 0, row.processor.find("GPU") != std::string::npos);
  }
  for (const auto& run : report.runs) {
    EXPECT_GT(run.whole, 0);
    EXPECT_LT(run.farthest, 1e-3);
    EXPECT_FALSE(run.stages.empty());
  }
}

TEST(SurfaceBench, WritesATableJsonAndAFigure) {
  const auto& report = quickReport();
  const test::TemporaryFolder folder;
  const std::string prefix = folder / "figure";

  EXPECT_THAT(markdown(reportOf(report)), testing::HasSubstr("| CPU, 1 thread | mask | 5³ | 500 |"));
  const auto parsed = nlohmann::json::parse(json(reportOf(report)));
  EXPECT_EQ(parsed["rows"].size(), report.rows.size());
  writeFigure(report, prefix);
  std::ostringstream svg;
  svg << std::ifstream(prefix + ".svg").rdbuf();
  EXPECT_THAT(svg.str(), testing::HasSubstr("CPU, 1 thread, mask</text>"));
}

TEST(SurfaceBench, MakesBandsWithAndWithoutTies) {
  for (const auto data : {SurfaceData::mask, SurfaceData::gray, SurfaceData::flat}) {
    Volume<float> phi;
    const surface::Band band = bandOfSize(data, 2000, 3, phi);
    EXPECT_EQ(band.count(), 2000);
    const surface::PatchNeighbors found = surface::findNeighbors(band, 1, {});
    const auto alike = std::count(found.distance.begin(), found.distance.end(), 0.f);
    EXPECT_EQ(alike > 10, data != SurfaceData::gray) << alike;
  }
}

}  // namespace
}  // namespace sulcus::bench
