#include "ui/scene/charts/chart_style.h"

#include <algorithm>
#include <array>
#include <cmath>
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

using Linear = std::array<double, 3>;

Linear linearOf(const Rgb& color) {
  Linear linear{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = double(color[i]) / 255;
    linear[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return linear;
}

Linear product(const double (&matrix)[3][3], const Linear& v) {
  Linear result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * v[j];
  return result;
}

constexpr double kXyz[3][3] = {
    {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};

Linear labOf(const Linear& linear) {
  const Linear xyz = product(kXyz, {std::clamp(linear[0], 0.0, 1.0), std::clamp(linear[1], 0.0, 1.0),
                                    std::clamp(linear[2], 0.0, 1.0)});
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(DrawnSeries, HaveColorsThatAreToldApartByEveryoneOnDarkAndOnLight) {
  // Normal vision, protanopia and deuteranopia: Machado, Oliveira & Fernandes 2009, severity 1.
  constexpr double kVisions[3][3][3] = {
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
      {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
  std::vector<Chart::Series> eight;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"})
    eight.push_back({name, Kind::line, {0}, {1}, {}});
  const auto drawn = drawnSeries({{"", styledChart(eight)}});
  ASSERT_EQ(drawn.size(), 8u);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const double y = product(kXyz, linearOf(drawn[i].color))[1];
    EXPECT_GE(1.05 / (y + 0.05), 2.2) << "on white: " << i;
    EXPECT_GE((y + 0.05) / (0.0070 + 0.05), 3) << "on the dark background of the window: " << i;
    for (std::size_t j = 0; j < i; ++j)
      for (const auto& vision : kVisions) {
        const Linear a = labOf(product(vision, linearOf(drawn[i].color))),
                     b = labOf(product(vision, linearOf(drawn[j].color)));
        EXPECT_GE(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 24) << i << " and " << j;
      }
  }
}

TEST(DrawnSeries, OfAGroupAndItsMeanHaveOneColorAndEachGroupItsShape) {
  const auto drawn = drawnSeries({{"", styledChart({{"mean of patients", Kind::line, {1, 4}, {2, 2}, {}},
                                                    {"patients", Kind::points, {1, 3}, {1, 3}, {}},
                                                    {"mean of controls", Kind::line, {1, 4}, {5, 5}, {}},
                                                    {"controls", Kind::points, {2, 4}, {4, 6}, {}}})}});
  const auto one = [&](const std::string& label) {
    return *std::ranges::find(drawn, label, &DrawnSeries::label);
  };
  EXPECT_EQ(one("patients").color, one("mean of patients").color);
  EXPECT_EQ(one("controls").color, one("mean of controls").color);
  EXPECT_NE(one("controls").color, one("patients").color);
  EXPECT_NE(one("controls").shape, one("patients").shape);
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
  EXPECT_EQ(niceTicks(0.9, 2.1, 10, 1), (Ticks{1, 2}));
  EXPECT_EQ(niceTicks(-1, 21, 10, 1), (Ticks{0, 5, 10, 15, 20}));
  EXPECT_EQ(chartNumber(niceTicks(-0.5, 21, 10, 1).front()), "0");
  EXPECT_EQ(niceTicks(0, 300, 10, 1), (Ticks{0, 50, 100, 150, 200, 250, 300}));
  EXPECT_EQ(niceTicks(1.2, 1.8, 10, 1), Ticks());
  EXPECT_EQ(niceTicks(-0.85, 1.75, 6), (Ticks{-0.5, 0, 0.5, 1, 1.5})) << "not at each tenth";
  EXPECT_EQ(niceTicks(2, 2, 6), Ticks());
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
