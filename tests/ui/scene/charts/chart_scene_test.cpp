#include "ui/scene/charts/chart_scene.h"

#include "tests/ui/scene/off_screen.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <vtkOutputWindow.h>
#include <vtkStringOutputWindow.h>

namespace sulcus::ui::scene {
namespace {

using Kind = Chart::Kind;

Chart chartOf(std::vector<Chart::Series> series) {
  Chart chart;
  chart.title = "a title";
  chart.xLabel = "time (s)";
  chart.yLabel = "signal (%)";
  chart.series = std::move(series);
  return chart;
}

/// Draws at 640 × 360; `near` counts pixels of approximately a color.
struct ChartSceneTest : Drawing {
  void SetUp() override {
    Drawing::SetUp();
    if (IsSkipped()) return;
    window->SetSize(640, 360);
    scene = std::make_unique<ChartScene>(window);
  }
  void TearDown() override { scene.reset(); }
  void draw(std::vector<NamedChart> charts, const std::string& name) {
    scene->setCharts(std::move(charts));
    scene->render();
    keep(name);
  }
  int near(Rgb color, int tolerance = 40) {
    return count(0, 0, 640, 360, [&](const Pixel& p) {
      return std::abs(p.r - color[0]) + std::abs(p.g - color[1]) + std::abs(p.b - color[2]) < tolerance;
    });
  }
  /// How dark a column of the picture is between two heights: the number of pixels that are not white.
  int inkAt(int x, int bottom, int top) {
    return count(x, bottom, x + 1, top, [](const Pixel& p) { return p.sum() < 720; });
  }
  /// A position where a tooltip contains `text`, searched on a raster; {-1, -1} if there is none.
  std::pair<int, int> find(const std::string& text) {
    for (int y = 0; y < 360; y += 4)
      for (int x = 0; x < 640; x += 4)
        if (scene->textAt(x, y).find(text) != std::string::npos) return {x, y};
    return {-1, -1};
  }
  std::unique_ptr<ChartScene> scene;
};

const Rgb kFirst{45, 100, 235}, kSecond{202, 166, 92};

TEST_F(ChartSceneTest, DrawsALineFromCornerToCorner) {
  draw({{"", chartOf({{"rise", Kind::line, {0, 10}, {0, 5}, {}}})}}, "chart-line");
  EXPECT_GT(near(kFirst), 400);
  EXPECT_EQ(near(kSecond), 0);
}

TEST_F(ChartSceneTest, DrawsALineOfOnePointAsAPointAndVtkHasNothingToSay) {
  const vtkSmartPointer<vtkOutputWindow> usual = vtkOutputWindow::GetInstance();
  vtkNew<vtkStringOutputWindow> said;
  vtkOutputWindow::SetInstance(said);
  draw({{"", chartOf({{"one", Kind::line, {5}, {2}, {}}, {"none", Kind::line, {}, {}, {}}})}}, "chart-one");
  vtkOutputWindow::SetInstance(usual);
  EXPECT_EQ(said->GetOutput(), "");
  EXPECT_GT(near(kFirst, 120), 10);
}

TEST_F(ChartSceneTest, DrawsLinesWhereItsPointsAreHoweverFarFromZero) {
  const auto drawAt = [this](double origin, Kind kind) {
    draw({{"", chartOf({{"a", kind, {origin, origin + 5, origin + 10}, {1, 2, 1}, {}}})}}, "chart-far");
    // The highest pixel of the first color is in the middle of the chart.
    for (int y = 359; y > 0; --y)
      for (int x = 60; x < 500; ++x)
        if (const Pixel p = at(x, y); p.b > p.r + 60) return x;
    return 0;
  };
  for (const double origin : {0.0, 0.05, 5000.0, -1e6})
    EXPECT_NEAR(drawAt(origin, Kind::line), drawAt(origin, Kind::points), 4) << origin;
}

TEST_F(ChartSceneTest, DrawsPointsAndNoLineBetweenThem) {
  draw({{"", chartOf({{"measured", Kind::points, {0, 5, 10}, {1, 3, 1}, {}}})}}, "chart-points");
  const int ink = near(kFirst, 90);
  EXPECT_GT(ink, 3 * 5);
  EXPECT_LT(ink, 300);
}

TEST_F(ChartSceneTest, FillsABandSoThatTheLineInItIsSeen) {
  draw({{"", chartOf({{"95 %", Kind::band, {0, 5, 10}, {0, 1, 0}, {4, 5, 4}},
                      {"mean", Kind::line, {0, 5, 10}, {2, 3, 2}, {}}})}},
       "chart-band");
  // 60/255 of the color on white.
  EXPECT_GT(near({195, 222, 237}, 30), 20000);
  EXPECT_GT(near(kFirst), 300);
}

TEST_F(ChartSceneTest, DrawsBarsAsHighAsTheirValues) {
  draw({{"", chartOf({{"count", Kind::bars, {1, 2, 3}, {2, 8, 4}, {}}})}}, "chart-bars");
  const auto bar = [&](double x) {
    const ChartBounds& b = scene->view();
    const int left = 60, right = 520;  // the plot, roughly; the middle of a bar is far from its ends
    return inkAt(int(left + (x - b.xLow) / (b.xHigh - b.xLow) * (right - left)), 60, 330);
  };
  EXPECT_GT(bar(2), bar(3) + 40);
  EXPECT_GT(bar(3), bar(1) + 20);
}

TEST_F(ChartSceneTest, DrawsMarksOverTheWholeHeightHoweverItIsZoomed) {
  const std::vector<NamedChart> charts{
      {"", chartOf({{"trace", Kind::line, {0, 10}, {1, 1}, {}}, {"burn-in", Kind::marks, {5}, {}, {}}})}};
  draw(charts, "chart-marks");
  const auto reachesFrom = [this](int bottom, int top) {
    return count(60, bottom, 520, top, [](const Pixel& p) { return p.r > p.b + 60 && p.r > p.g + 20; }) > 4;
  };
  EXPECT_TRUE(reachesFrom(45, 65) && reachesFrom(310, 330));
  scene->zoom(320, 180, 1.5);
  scene->pan(0, 60);
  scene->render();
  keep("chart-marks-zoomed");
  EXPECT_TRUE(reachesFrom(45, 65) && reachesFrom(310, 330));
}

TEST_F(ChartSceneTest, LaysTwoRunsOverEachOther) {
  std::vector<double> x, a, b;
  for (int i = 0; i <= 100; ++i)
    x.push_back(i), a.push_back(std::sin(i * 0.1)), b.push_back(std::cos(i * 0.1));
  draw({{"CPU", chartOf({{"trace", Kind::line, x, a, {}}})},
        {"GPU", chartOf({{"trace", Kind::line, x, b, {}}})}},
       "chart-two-runs");
  EXPECT_GT(near(kFirst), 400);
  EXPECT_GT(near(kSecond), 250);
  EXPECT_NE(find("trace (GPU)").first, -1);
}

TEST_F(ChartSceneTest, OutlinesTheBarsOfTheSecondRunOverThoseOfTheFirst) {
  draw({{"CPU", chartOf({{"count", Kind::bars, {1, 2, 3}, {2, 8, 4}, {}}})},
        {"GPU", chartOf({{"count", Kind::bars, {1, 2, 3}, {3, 7, 4.5}, {}}})}},
       "chart-two-bars");
  EXPECT_GT(near({148, 176, 245}, 60), 8000);  // 130/255 of the first color on white
  EXPECT_GT(near(kSecond), 300);
}

TEST_F(ChartSceneTest, DrawsAMatrixWithItsColumnsFromLeftToRight) {
  Chart chart;
  chart.title = "design";
  chart.yLabel = "scan";
  chart.matrix = Chart::Matrix{{"intercept", "visual", "auditory"}, {}};
  for (int row = 0; row < 40; ++row)
    chart.matrix->rows.push_back({1, row % 20 < 10 ? 1.0 : -1.0, std::sin(row * 0.3)});
  draw({{"", chart}}, "chart-matrix");
  const std::string svg = scene->svg();
  EXPECT_NE(svg.find("href=\"data:image/png;base64,iVBOR"), std::string::npos);
  EXPECT_LT(svg.size(), 100'000u) << "a picture, not a shape for each pixel";
  const auto [x, y] = find("visual, row 5: 1");
  ASSERT_NE(x, -1);
  EXPECT_EQ(at(x, y).sum(), 3 * 255);
  const auto [u, v] = find("visual, row 15: -1");
  ASSERT_NE(u, -1);
  EXPECT_EQ(at(u, v).sum(), 0);
  EXPECT_GT(y, v);
  EXPECT_LT(find("intercept, row 5").first, x);
}

TEST_F(ChartSceneTest, ACellOfPairsIsColoredByItsCountAndHasTwoNames) {
  Chart chart;
  chart.title = "connectome";
  chart.xLabel = chart.yLabel = "label";
  chart.matrix = Chart::Matrix{{"3", "4", "17"}, {{0, 120, 1}, {120, 0, std::nan("")}, {1, -5, 9}}};
  draw({{"", chart}}, "chart-pairs");
  const auto [x, y] = find("3 - 4: 120 lines");
  ASSERT_NE(x, -1);
  const auto pair = scene->pairAt(x, y);
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, std::pair(std::string("3"), std::string("4")));
  const auto [u, v] = find("3 - 17: 1 line");
  ASSERT_NE(u, -1);
  const auto [a, b] = find("3 - 3: 0 lines");
  ASSERT_NE(a, -1);
  EXPECT_GT(at(x, y).sum(), at(u, v).sum()) << "brighter, the more lines";
  EXPECT_GT(at(u, v).sum(), at(a, b).sum());
  EXPECT_FALSE(scene->pairAt(1, 1));
  chart.xLabel = "regressor";
  draw({{"", chart}}, "chart-no-pairs");
  EXPECT_FALSE(scene->pairAt(x, y));
}

TEST_F(ChartSceneTest, SaysTheValuesUnderThePointer) {
  draw({{"", chartOf({{"rise", Kind::line, {0, 4, 10}, {0, 2.5, 5}, {}}})}}, "chart-hover");
  EXPECT_NE(find("rise\ntime (s): 4\nsignal (%): 2.5").first, -1);
  EXPECT_EQ(scene->textAt(3, 3), "");
}

TEST_F(ChartSceneTest, KnowsThePlaceOfAPoint) {
  Chart::Series voxels{"voxels", Kind::points, {0, 4, 10}, {0, 2.5, 5}, {}};
  voxels.places = {{0, 0, 0}, {1, -2, 3}, {9, 9, 9}};
  draw({{"", chartOf({voxels, {"line", Kind::line, {0, 10}, {5, 0}, {}}})}}, "chart-places");
  const auto [x, y] = find("voxels\ntime (s): 4\n");
  ASSERT_NE(x, -1);
  EXPECT_EQ(scene->placeAt(x, y), (Vec3<double>{1, -2, 3}));
  EXPECT_FALSE(scene->placeAt(3, 3)) << "nothing is near";
  const auto [u, v] = find("line\n");
  EXPECT_FALSE(scene->placeAt(u, v)) << "a line is of no voxel";
}

TEST_F(ChartSceneTest, ZoomsAboutThePointerAndComesBack) {
  draw({{"", chartOf({{"rise", Kind::line, {0, 10}, {0, 5}, {}}})}}, "chart-zoom");
  const ChartBounds all = scene->view();
  scene->zoom(320, 180, 2);
  EXPECT_TRUE(scene->zoomed());
  EXPECT_NEAR(scene->view().xHigh - scene->view().xLow, (all.xHigh - all.xLow) / 2, 1e-9);
  EXPECT_GT(scene->view().xLow, all.xLow);
  scene->zoom(320, 2, 2);  // on the axis: y is unchanged
  EXPECT_NEAR(scene->view().yHigh - scene->view().yLow, (all.yHigh - all.yLow) / 2, 1e-9);
  scene->resetView();
  EXPECT_EQ(scene->view(), all);
}

TEST_F(ChartSceneTest, KeepsTheZoomInTimeWhileItsDataChange) {
  draw({{"", chartOf({{"rise", Kind::line, {0, 10}, {0, 5}, {}}})}}, "chart-keep");
  scene->zoom(320, 180, 4);
  const ChartBounds zoomed = scene->view();
  scene->setCharts({{"", chartOf({{"rise", Kind::line, {0, 10}, {0, 50}, {}}})}}, true);
  EXPECT_EQ(scene->view().xLow, zoomed.xLow);
  EXPECT_GT(scene->view().yHigh, 50);
  scene->setCharts({{"", chartOf({{"rise", Kind::line, {0, 99}, {0, 50}, {}}})}}, true);
  EXPECT_FALSE(scene->zoomed());
}

TEST_F(ChartSceneTest, SaysInWordsWhyThereIsNothing) {
  Chart chart;
  chart.title = "outside the mask";
  draw({{"", chart}}, "chart-empty");
  EXPECT_GT(count(0, 0, 640, 360, [](const Pixel& p) { return p.sum() < 400; }), 100);
  chart.series = {{"of no point yet"}};
  scene->setTheme({{30, 30, 30}, {230, 230, 230}});
  draw({{"", chart}}, "chart-without-points");
  EXPECT_EQ(at(2, 2).sum(), 90);
  EXPECT_GT(count(0, 0, 640, 360, [](const Pixel& p) { return p.sum() > 400; }), 100);
}

TEST_F(ChartSceneTest, IsDrawnOnDarkInLightText) {
  scene->setTheme({{30, 30, 30}, {230, 230, 230}});
  draw({{"", chartOf({{"rise", Kind::line, {0, 10}, {0, 5}, {}}})}}, "chart-dark");
  EXPECT_EQ(at(2, 2).sum(), 90);
  EXPECT_GT(count(0, 0, 640, 360, [](const Pixel& p) { return std::min({p.r, p.g, p.b}) > 130; }), 100);
}

TEST_F(ChartSceneTest, IsSavedAsSvgWithItsLines) {
  draw({{"CPU", chartOf({{"rise", Kind::line, {0, 10}, {0, 5}, {}}})}}, "chart-svg");
  const std::string svg = scene->svg();
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_NE(svg.find("#2d64eb"), std::string::npos) << "the color of the line";
}

// In units of the data with six digits, as VTK's exporter writes them, this curve is a flat line.
TEST_F(ChartSceneTest, IsSavedAsSvgInPixelsHoweverSmallItsNumbers) {
  draw({{"", chartOf({{"density", Kind::line, {0, 1, 2}, {0, 1e-6, 0}, {}}})}}, "chart-svg-small");
  const std::string svg = scene->svg();
  const auto line = svg.find("stroke=\"#2d64eb\"");
  ASSERT_NE(line, std::string::npos);
  const auto from = svg.find("points=\"", line) + 8;
  std::istringstream points(svg.substr(from, svg.find('"', from) - from));
  std::vector<double> ys;
  char comma;
  for (double x, y; points >> x >> comma >> y;) ys.push_back(y);
  ASSERT_EQ(ys.size(), 3u);
  EXPECT_GT(ys[0] - ys[1], 150) << "of 360 pixels";
  EXPECT_NEAR(ys[0], ys[2], 0.1);
  EXPECT_NE(svg.find("<text"), std::string::npos) << "text stays text";
  EXPECT_EQ(svg.find("stroke-width=\"0.0"), std::string::npos) << "lines are as wide as on screen";
}

}  // namespace
}  // namespace sulcus::ui::scene
