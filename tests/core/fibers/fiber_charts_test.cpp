#include "core/fibers/fiber_charts.h"

#include "core/image/diffusion/spherical_harmonics.h"

#include <array>

#include <gmock/gmock.h>

namespace sulcus::fibers {
namespace {

TEST(ResponsePlot, ShowsTheSignalFromAlongToAcrossTheFiber) {
  constexpr std::array zonal{0.85, -0.5};
  const Plot plot = responsePlot(zonal, 2995.4);
  const Chart chart = plot.make({});
  EXPECT_THAT(chart.title, ::testing::HasSubstr("b = 2995"));
  ASSERT_EQ(chart.series.size(), 1u);
  const auto& curve = chart.series[0];
  ASSERT_EQ(curve.x.size(), 91u);
  EXPECT_EQ(curve.x.back(), 90);
  EXPECT_NEAR(curve.y.front(), 0.85 * zonalHarmonic(0, 1) - 0.5 * zonalHarmonic(2, 1), 1e-12);
  EXPECT_NEAR(curve.y.back(), 0.85 * zonalHarmonic(0, 0) - 0.5 * zonalHarmonic(2, 0), 1e-12);
}

TEST(TissueResponsePlot, ShowsHowTheSignalOfEachTissueFallsWithB) {
  const std::vector<std::vector<std::vector<double>>> responses{
      {{2, 0}, {1.2, -0.8}}, {{1.8, 0}, {0.9, 0}}, {{4, 0}, {0.2, 0}}};
  const Chart chart = tissueResponsePlot(responses, std::array{0., 1000.}).make({});
  ASSERT_EQ(chart.series.size(), 4u);
  const double unit = 2 * zonalHarmonic(0, 1);
  for (const auto& curve : chart.series) EXPECT_THAT(curve.x, testing::ElementsAre(0, 1000));
  EXPECT_NEAR(chart.series[0].y[1], (1.2 * zonalHarmonic(0, 0) - 0.8 * zonalHarmonic(2, 0)) / unit, 1e-12);
  EXPECT_NEAR(chart.series[1].y[1], (1.2 * zonalHarmonic(0, 1) - 0.8 * zonalHarmonic(2, 1)) / unit, 1e-12);
  EXPECT_NEAR(chart.series[2].y[0], 0.9, 1e-12);
  EXPECT_NEAR(chart.series[3].y[1], 0.1, 1e-12);
}

}  // namespace
}  // namespace sulcus::fibers
