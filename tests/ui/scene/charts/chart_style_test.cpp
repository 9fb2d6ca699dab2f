#include "ui/scene/charts/chart_style.h"

#include <set>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

using Kind = Chart::Kind;

Chart styledChart(std::vector<Chart::Series> series, std::string title = "t") {
  Chart chart;
  chart.title = std::move(title);
  chart.series = std::move(series);
  return chart;
}

std::vector<std::string> labels(const std::vector<DrawnSeries>& drawn) {
  std::vector<std::string> names;
  for (const auto& one : drawn) names.push_back(one.label);
  return names;
}

TEST(DrawnSeries, OfTwoRunsHaveColorsOfTheirOwnAndTheNameOfTheRun) {
  const auto drawn = drawnSeries({{"CPU", styledChart({{"trace", Kind::line, {0, 1}, {1, 2}, {}}})},
                                  {"GPU", styledChart({{"trace", Kind::line, {0, 1}, {1, 2.5}, {}}})}});
  EXPECT_EQ(labels(drawn), (std::vector<std::string>{"trace (CPU)", "trace (GPU)"}));
  EXPECT_NE(drawn[0].color, drawn[1].color);
  EXPECT_FALSE(drawn[0].dashed);
  EXPECT_TRUE(drawn[1].dashed);
}

TEST(DrawnSeries, ThatAreTheSameInBothRunsAreThereOnceAndWithoutARun) {
  const Chart::Series measured{"measured", Kind::points, {0, 1}, {1, 2}, {}};
  const auto drawn = drawnSeries({{"CPU", styledChart({measured, {"fit", Kind::line, {0, 1}, {1, 2}, {}}})},
                                  {"GPU", styledChart({measured, {"fit", Kind::line, {0, 1}, {1, 3}, {}}})}});
  EXPECT_EQ(labels(drawn), (std::vector<std::string>{"measured", "fit (CPU)", "fit (GPU)"}));
}

TEST(DrawnSeries, KeepTheColorOfTheFirstRunWhenASecondOneJoins) {
  const Chart chart = styledChart({{"a", Kind::line, {0}, {1}, {}}, {"b", Kind::line, {0}, {2}, {}}});
  const Chart other = styledChart({{"a", Kind::line, {0}, {3}, {}}, {"b", Kind::line, {0}, {4}, {}}});
  const auto alone = drawnSeries({{"CPU", chart}}), both = drawnSeries({{"CPU", chart}, {"GPU", other}});
  EXPECT_EQ(alone[0].color, both[0].color);
  EXPECT_EQ(alone[1].color, both[1].color);
}

TEST(DrawnSeries, OfFourNamesAndTwoRunsHaveEightColors) {
  std::vector<Chart::Series> first, second;
  for (const char* name : {"a", "b", "c", "d"}) {
    first.push_back({name, Kind::line, {0}, {1}, {}});
    second.push_back({name, Kind::line, {0}, {2}, {}});
  }
  std::set<Rgb> colors;
  for (const auto& one : drawnSeries({{"CPU", styledChart(first)}, {"GPU", styledChart(second)}}))
    colors.insert(one.color);
  EXPECT_EQ(colors.size(), 8u);
}

TEST(DrawnSeries, HaveBandsBehindInTheColorOfTheirLine) {
  const auto drawn = drawnSeries({{"", styledChart({{"fit", Kind::line, {0, 1}, {1, 2}, {}},
                                                    {"90 %", Kind::band, {0, 1}, {0, 1}, {2, 3}}})}});
  EXPECT_EQ(labels(drawn), (std::vector<std::string>{"90 %", "fit"}));
  EXPECT_EQ(drawn[0].color, drawn[1].color);
}

TEST(ChartBounds, HoldEverythingThatIsDrawnAndTheFootOfBars) {
  const auto bars = boundsOf(drawnSeries({{"", styledChart({{"h", Kind::bars, {1, 2, 3}, {5, 9, 4}, {}}})}}));
  EXPECT_LE(bars.xLow, 0.5);
  EXPECT_GE(bars.xHigh, 3.5);
  EXPECT_EQ(bars.yLow, 0);
  EXPECT_GT(bars.yHigh, 9);
  const auto band = boundsOf(drawnSeries({{"", styledChart({{"b", Kind::band, {0, 1}, {-1, 0}, {3, 7}}})}}));
  EXPECT_LT(band.yLow, -1);
  EXPECT_GT(band.yHigh, 7);
}

TEST(ChartBounds, OfOneValueOrOfNoneAreWideEnoughToDraw) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Chart& chart : {styledChart({{"a", Kind::line, {2}, {0}, {}}}), styledChart({}),
                             styledChart({{"a", Kind::line, {0, 1}, {nan, nan}, {}}})}) {
    const auto bounds = boundsOf(drawnSeries({{"", chart}}));
    EXPECT_LT(bounds.xLow, bounds.xHigh);
    EXPECT_LT(bounds.yLow, bounds.yHigh);
  }
}

TEST(ChartTicks, OfWholeNumbersStandAtWholeNumbers) {
  using Ticks = std::vector<double>;
  EXPECT_EQ(wholeTicks(0.9, 2.1, 10), (Ticks{1, 2}));
  EXPECT_EQ(wholeTicks(-1, 21, 10), (Ticks{0, 5, 10, 15, 20}));
  EXPECT_EQ(chartNumber(wholeTicks(-0.5, 21, 10).front()), "0");
  EXPECT_EQ(wholeTicks(0, 300, 10), (Ticks{0, 50, 100, 150, 200, 250, 300}));
  EXPECT_EQ(wholeTicks(1.2, 1.8, 10), Ticks());
  const auto isWhole = [](const std::vector<double>& x) {
    return isOverWholeNumbers(drawnSeries({{"", styledChart({{"a", Kind::line, x, x, {}}})}}));
  };
  EXPECT_TRUE(isWhole({1, 2, 3}));
  EXPECT_FALSE(isWhole({1, 2.5}));
  EXPECT_FALSE(isWhole({}));
}

TEST(ChartTitle, AppearsOnceIfItIsTheSame) {
  EXPECT_EQ(titleOf({{"CPU", styledChart({}, "voxel 1")}, {"GPU", styledChart({}, "voxel 1")}}), "voxel 1");
  EXPECT_EQ(titleOf({{"CPU", styledChart({}, "R̂ 1.0")}, {"GPU", styledChart({}, "R̂ 1.1")}}),
            "CPU: R̂ 1.0  ·  GPU: R̂ 1.1");
}

}  // namespace
}  // namespace sulcus::ui::scene
