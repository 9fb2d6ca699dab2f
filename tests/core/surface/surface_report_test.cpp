#include "core/surface/surface_report.h"

#include "core/surface/surface_charts.h"
#include "tests/core/surface/surface_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::surface {
namespace {

using test::denoisedBall;
using test::octahedron;
using testing::Contains;
using testing::HasSubstr;

TEST(SurfaceReport, MeasuresSurfacesBothWays) {
  Mesh far = octahedron(3);
  far.points.push_back({10, 0, 0});
  const auto there = surfaceDistance(octahedron(3), far, {});
  const auto back = surfaceDistance(far, octahedron(3), {});
  EXPECT_DOUBLE_EQ(there.hausdorff, 7);
  EXPECT_DOUBLE_EQ(back.hausdorff, 7);
  EXPECT_DOUBLE_EQ(there.mean, 7.0 / 13);
  EXPECT_DOUBLE_EQ(there.percentile95, 0);
}

TEST(SurfaceReport, SaysWhatChanged) {
  auto made = denoisedBall(test::quickOptions());
  const auto notes = surfaceSummary(made);
  EXPECT_THAT(notes, Contains(HasSubstr("volume 85.3 → 36 mm³ (-57.8 %)"))) << "4 r³ / 3";
  EXPECT_THAT(notes, Contains(HasSubstr("Surface displacement: mean 0.789 mm"))) << "(1 + 1/√3) / 2";
  EXPECT_THAT(notes, Contains(HasSubstr("maximum 1 mm")));
  EXPECT_THAT(notes, Contains(HasSubstr("2 iterations; c1 off, c2 ")));
  EXPECT_THAT(notes, testing::Not(Contains(HasSubstr("true surface"))));
  const Mesh truth = octahedron(3.5);
  made.truth =
      SurfaceTruth{std::make_shared<const Mesh>(truth), levelset::measuresOf(truth),
                   surfaceDistance(*made.input, truth, {}), surfaceDistance(*made.surface, truth, {})};
  EXPECT_THAT(surfaceSummary(made),
              Contains(HasSubstr("Mean distance to the true surface 0.394 → 0.394 mm")));
}

TEST(SurfaceReport, IsJson) {
  const auto json = surfaceJson(denoisedBall(test::quickOptions()));
  EXPECT_THAT(json, HasSubstr("\"c1_mm2\": null"));
  EXPECT_THAT(json, HasSubstr("\"neighbours\": 12"));
  EXPECT_THAT(json, HasSubstr("{\"pass\": 1, \"iteration\": 2, \"energy_mm2\": "));
  EXPECT_THAT(json, HasSubstr("\"volume_mm3\": 36,"));
  EXPECT_THAT(json, HasSubstr("\"volume_change_percent\": -57.8125"));
  EXPECT_THAT(json, testing::Not(HasSubstr("true_surface")));
}

TEST(SurfaceCharts, ShowTheEnergyOverAllPasses) {
  const auto chart = surfaceEnergyPlot({{1, 1, 9, 0}, {1, 2, 7, 0}, {2, 1, 5, 0}}).make({});
  ASSERT_EQ(chart.series.size(), 2u);
  EXPECT_THAT(chart.series[0].x, testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(chart.series[0].y, testing::ElementsAre(9, 7, 5));
  EXPECT_THAT(chart.series[1].x, testing::ElementsAre(3)) << "where the second pass begins";
  EXPECT_EQ(surfaceEnergyPlot({{1, 1, 9, 0}}).make({}).series.size(), 1u);
}

TEST(SurfaceCharts, CountTheDisplacements) {
  std::vector<float> values(100, -1.F);
  values.resize(400, 1.F);
  const auto chart = displacementPlot(values).make({});
  const auto& bars = chart.series.at(0);
  const double width = bars.x[1] - bars.x[0];
  EXPECT_NEAR(bars.y.front() * width, 0.25, 1e-9);
  EXPECT_NEAR(bars.y.back() * width, 0.75, 1e-9);
  EXPECT_THAT(chart.series.at(1).x, testing::ElementsAre(testing::DoubleNear(0.5, 1e-9)));
  EXPECT_TRUE(displacementPlot({}).make({}).series.empty());
}

}  // namespace
}  // namespace sulcus::surface
