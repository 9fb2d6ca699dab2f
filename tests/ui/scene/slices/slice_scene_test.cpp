#include "ui/scene/slices/slice_scene.h"

#include "tests/ui/mesh_analysis.h"
#include "tests/ui/scene/off_screen.h"
#include "ui/scene/common/colormap.h"
#include "ui/scene/glyphs/glyph_actor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace sulcus::ui::scene {
namespace {

class SliceSceneDrawing : public Drawing {
 protected:
  void draw(const std::vector<SceneLayer>& layers) {
    if (!scene) scene = std::make_unique<SliceScene>(window);
    scene->setLayers(layers);
    scene->look(look);
    scene->render();
  }
  /// Next to an empty view, the color bars of two layers of that name.
  void drawTwoColorBars(const std::string& name) {
    std::vector<SceneLayer> layers;
    for (const int id : {1, 2}) {
      layers.push_back(volumeLayer(
          centeredGrid(10, 1), [](auto) { return 0; }, id));
      layers.back().name = name;
      layers.back().display.colorBar = true;
    }
    look.center = {500, 0, 0};
    draw(layers);
  }
  /// The number of lines of text and bars, separated by dark rows of pixels, in a rectangle.
  int linesIn(int left, int bottom, int right, int top) {
    int lines = 0;
    for (int y = bottom, before = 0; y < top; ++y) {
      const int now = count(left, y, right, y + 1, [](const auto& pixel) { return pixel.sum() > 60; });
      lines += now > 0 && before == 0;
      before = now;
    }
    return lines;
  }

  std::unique_ptr<SliceScene> scene;
  SliceLook look{.normal = 2, .extent = 100, .crosshairVisible = false, .lettersVisible = false};
};

const auto isBright = [](const auto& pixel) { return pixel.sum() > 600; };
const auto isLit = [](const auto& pixel) { return pixel.sum() > 60; };

TEST_F(SliceSceneDrawing, ShowsThePatientsLeftAtTheRightInRadiologicalConvention) {
  const auto left = volumeLayer(centeredGrid(50, 2), [](auto p) { return p.x < 0; });
  draw({left});
  keep("radiological");
  EXPECT_GT(at(150, 100).sum(), 700);
  EXPECT_EQ(at(50, 100).sum(), 0);
}

TEST_F(SliceSceneDrawing, ShowsColorsAsTheyAre) {
  auto image = volumeLayer(centeredGrid(50, 2), [](auto) { return 0.F; });
  auto series = std::make_shared<Series<float>>(centeredGrid(50, 2), 4);
  for (std::int64_t i = 0; i < series->grid.voxels(); ++i) {
    const Vec3<int> v = series->grid.voxel(i);
    series->at(i, v.x < 25 ? 0 : 2) = 255;  // red to the left, blue to the right
    series->at(i, 3) = v.y < 25 ? 255 : 0;  // transparent in front
  }
  auto layer = std::make_shared<Layer>(*image.layer);
  VolumeLayer colors;
  colors.series = series, colors.colors = true;
  layer->content = colors;
  image.layer = layer;
  draw({image});
  keep("colors");
  const auto red = at(150, 50), blue = at(50, 50), clear = at(150, 150);
  EXPECT_GT(red.r - red.b, 245);
  EXPECT_GT(blue.b - blue.r, 245);
  EXPECT_LT(clear.sum(), 5);
}

TEST_F(SliceSceneDrawing, ShowsThePatientsLeftAtTheLeftInNeurologicalConvention) {
  look.radiological = false;
  for (const int normal : {2, 1}) {
    look.normal = normal;
    draw({volumeLayer(centeredGrid(50, 2), [](auto p) { return p.x < 0; })});
    EXPECT_GT(at(50, 100).sum(), 700) << "normal " << normal;
    EXPECT_EQ(at(150, 100).sum(), 0) << "normal " << normal;
  }
}

TEST_F(SliceSceneDrawing, HasTheFrontUpInAxialAndAtTheLeftInSagittalPlanes) {
  const auto front = volumeLayer(centeredGrid(50, 2), [](auto p) { return p.y > 0; });
  draw({front});
  EXPECT_GT(at(100, 150).sum(), 700);
  EXPECT_EQ(at(100, 50).sum(), 0);
  look.normal = 0;
  draw({front});
  EXPECT_GT(at(50, 100).sum(), 700);
  EXPECT_EQ(at(150, 100).sum(), 0);
}

TEST_F(SliceSceneDrawing, DrawsAnObliqueAnisotropicShearedImageWhereItIsInTheScanner) {
  Grid grid;
  grid.size = {60, 40, 30};
  const double c = std::cos(0.5), s = std::sin(0.5);
  grid.worldFromVoxel.m = {{{-1.5 * c, -2 * s, 0.3}, {1.5 * s, -2 * c, 0.5}, {0.2, 0.1, 3}}};
  grid.worldFromVoxel.t = {};
  grid.worldFromVoxel.t = -grid.center();
  const auto inBall = [](const Vec3<double>& p) { return norm(p - Vec3<double>{12, -9, 4}) < 14; };
  auto layer = volumeLayer(grid, inBall);
  look.crosshair = {3, 3, 6};
  look.keys = false;
  for (const int normal : {2, 1, 0}) {
    look.normal = normal;
    if (normal == 1) look.crosshair.y = -9;
    if (normal == 0) look.crosshair.x = 12;
    draw({layer});
    keep("oblique" + std::to_string(normal));
    int wrong = 0, inside = 0;
    for (int y = 2; y < 200; y += 4)
      for (int x = 2; x < 200; x += 4) {
        const Vec3<double> p = scene->camera().worldAt(x + 0.5, y + 0.5);
        const double distance = norm(p - Vec3<double>{12, -9, 4}) - 14;
        if (std::abs(distance) < 3) continue;  // within a voxel of the edge
        inside += distance < 0;
        wrong += (at(x, y).sum() > 380) != (distance < 0);
      }
    EXPECT_EQ(wrong, 0) << "normal " << normal;
    EXPECT_GT(inside, 50);
  }
}

TEST_F(SliceSceneDrawing, DrawsImagesPeaksAndSurfacesOfATurnedPlaneWhereTheyAre) {
  const Vec3<double> center{12, -9, 4};
  const Grid grid = centeredGrid(50, 2);
  const auto inBall = [&](const Vec3<double>& p) { return norm(p - center) < 14; };
  auto image = volumeLayer(grid, inBall);
  auto peaks = std::make_shared<Series<float>>(grid, 3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const auto p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    if (inBall(p)) peaks->at(i, 2) = 1;  // up, blue
  }
  SceneLayer glyphs = peaksLayer(grid, {});
  auto content = std::make_shared<Layer>(*glyphs.layer);
  content->content = PeaksLayer{peaks, nullptr};
  glyphs.layer = content;
  const SceneLayer surface{
      3, std::make_shared<Layer>(test::meshLayer("ball", test::ball(14, 4, center))), {}, 0};
  look.crosshair = {10, -5, 2};
  look.keys = false;
  look.turn = turnedAbout(turnedAbout({}, {1, 0, 0}, 0.6), {0, 0, 1}, -0.4);
  for (const int normal : {2, 1, 0}) {
    look.normal = normal;
    const Vec3<double>& out = look.turn.axes[std::size_t(normal)];
    const double high = dot(center - look.crosshair, out), radius = std::sqrt(14.0 * 14 - high * high);
    const auto distances = [&](auto&& isThere) {  // of pixels from the center of the ball in this plane
      double least = 1e9, most = 0;
      for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x) {
          if (!isThere(at(x, y))) continue;
          const Vec3<double> p = scene->camera().worldAt(x + 0.5, y + 0.5);
          EXPECT_NEAR(dot(p - look.crosshair, out), 0, 1e-9);
          const double distance = norm(p - center + high * out);
          least = std::min(least, distance), most = std::max(most, distance);
        }
      return std::pair(least, most);
    };
    draw({image});
    keep("turned" + std::to_string(normal));
    EXPECT_NEAR(distances([](auto pixel) { return pixel.sum() > 380; }).second, radius, 1.6);
    draw({glyphs});
    keep("turned-peaks" + std::to_string(normal));
    EXPECT_NEAR(distances([](auto pixel) { return pixel.b > 100 && pixel.r < 60; }).second, radius, 2.6);
    draw({surface});
    keep("turned-outline" + std::to_string(normal));
    const auto [least, most] = distances(isLit);
    EXPECT_NEAR(least, radius, 1);
    EXPECT_NEAR(most, radius, 1);
  }
}

TEST_F(SliceSceneDrawing, ReachesHalfAVoxelBeyondTheOuterCenters) {
  draw({volumeLayer(centeredGrid(2, 20), [](auto) { return 1; })});  // 40 mm wide: 80 of 200 pixels
  EXPECT_NEAR(count(0, 100, 200, 101, isBright), 80, 1);
}

TEST_F(SliceSceneDrawing, HidesValuesBeyondTheThresholdsAndNotANumber) {
  auto below = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 1; }, 1);
  auto above = volumeLayer(
      centeredGrid(50, 2), [](auto p) { return p.y < 0   ? NAN
                                               : p.x < 0 ? 0.2
                                                         : 0.8; }, 2);
  above.display.interpolate = false;
  above.display.colormap = "heat";  // red to yellow
  above.display.hideBelow = 0.5;
  draw({below, above});
  keep("threshold");
  EXPECT_GT(at(150, 150).sum(), 750) << "0.2 is hidden: the layer below shows";
  EXPECT_LT(at(50, 150).b, 5) << "0.8 is drawn";
  EXPECT_GT(at(50, 50).sum(), 750) << "not a number is transparent";
  above.display.hideBelow.reset();
  above.display.hideAbove = 0.5;
  draw({below, above});
  EXPECT_LT(at(150, 150).b, 5);
  EXPECT_GT(at(50, 150).sum(), 750);
}

TEST_F(SliceSceneDrawing, FadesWhatAThresholdHidesAndDrawsALineAlongIt) {
  const auto below = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 1; }, 1);
  auto map = volumeLayer(
      centeredGrid(50, 2), [](auto p) { return p.y < -30 ? NAN : float(p.x + 50); }, 2);
  map.display.colormap = "red";
  map.display.range = Range{0, 100};
  map.display.hideBelow = 60;
  // 60 is 10 mm right of the center, which is 20 pixels to the left on screen.
  const auto isBlack = [](const auto& pixel) { return pixel.sum() < 150; };
  draw({below, map});
  EXPECT_GT(at(100, 150).sum(), 750) << "50 is hidden";
  EXPECT_EQ(count(60, 150, 100, 151, isBlack), 0);
  map.display.fade = true;
  draw({below, map});
  keep("fade");
  EXPECT_LT(at(100, 150).g, 160) << "50 is near";
  EXPECT_GT(at(100, 150).r, 150);
  EXPECT_GT(at(160, 150).g, 180) << "20 is nearly gone";
  EXPECT_LT(at(160, 150).g, 250) << "but not quite";
  EXPECT_NEAR(count(60, 150, 100, 151, isBlack), 1, 1);
  EXPECT_GE(count(60, 100, 100, 190, isBlack), 80) << "a line along the threshold";
  EXPECT_EQ(count(0, 70, 75, 190, isBlack), 0) << "and none elsewhere";
  EXPECT_EQ(count(0, 10, 200, 35, isBlack), 0) << "also not where there is no number";
}

TEST_F(SliceSceneDrawing, MixesLayersByOpacityInTheirOrder) {
  auto black = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 0; }, 1);
  auto white = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 1; }, 2);
  white.display.opacity = 0.5;
  draw({black, white});
  EXPECT_NEAR(at(100, 100).r, 128, 3);
  draw({white, black});
  EXPECT_EQ(at(100, 100).r, 0);
}

TEST_F(SliceSceneDrawing, IsAsOpaqueAsAnotherImageSays) {
  const auto black = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 0; }, 1);
  auto white = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 1; }, 2);
  const auto other = volumeLayer(  // coarser and smaller
      centeredGrid(16, 5), [](auto p) { return p.y > 30 ? NAN : float(p.x + 50); }, 3);
  draw({black, white});
  EXPECT_EQ(at(100, 100).r, 255);
  white.opacityImage = OpacityImage{other.layer, 0, {25, 75}};
  draw({black, white});
  keep("opacity_by");
  EXPECT_NEAR(at(100, 100).r, 128, 6) << "50 is the middle of its range";
  EXPECT_NEAR(at(140, 100).r, 26, 6);
  EXPECT_EQ(at(170, 100).r, 0) << "below its range";
  EXPECT_EQ(at(40, 100).r, 255) << "above it";
  EXPECT_EQ(at(100, 175).r, 0) << "no number";
  EXPECT_EQ(at(5, 100).r, 0) << "outside of it";
  white.opacityImage->range = {0, 50};
  draw({black, white});
  EXPECT_EQ(at(80, 100).r, 255) << "the range was changed";
  white.opacityImage.reset();
  draw({black, white});
  EXPECT_EQ(at(170, 100).r, 255);
}

TEST_F(SliceSceneDrawing, ShowsTheChosenVolumeOfASeries) {
  auto series = std::make_shared<Series<float>>(centeredGrid(20, 5), 3);
  for (int v = 0; v < 3; ++v) std::fill_n(series->values.begin() + v * 8000, 8000, float(v) / 2);
  auto layer = std::make_shared<Layer>();
  layer->content = VolumeLayer{series, {}, 0, {}};
  SceneLayer shown{1, layer, {}, 0};
  shown.display.range = Range{0, 1};
  for (const int volume : {0, 1, 2}) {
    shown.volume = volume;
    draw({shown});
    EXPECT_NEAR(at(100, 100).r, volume * 127.5, 2);
  }
}

TEST_F(SliceSceneDrawing, PutsTheCrosshairWhereItIs) {
  look.crosshairVisible = true;
  look.crosshair = {-20, 10, 0};
  look.keys = false;
  draw({volumeLayer(centeredGrid(50, 2), [](auto) { return 0; })});
  keep("crosshair");
  EXPECT_GT(count(138, 10, 143, 11, isLit), 0);
  EXPECT_GT(count(10, 118, 11, 123, isLit), 0);
  EXPECT_EQ(count(10, 10, 130, 110, isLit), 0);
}

TEST_F(SliceSceneDrawing, WritesTheConventionAndTheLettersOnTheSlice) {
  draw({});
  EXPECT_EQ(count(0, 25, 200, 200, isLit), 0);
  EXPECT_GT(count(120, 0, 200, 25, isLit), 60) << "the convention is never hidden";
  look.lettersVisible = true;
  draw({});
  keep("letters");
  for (const auto& [left, bottom] : {std::pair{0, 85}, {170, 85}, {85, 0}, {85, 170}})
    EXPECT_GT(count(left, bottom, left + 30, bottom + 30, isLit), 20) << left << ", " << bottom;
  EXPECT_GT(count(120, 0, 200, 25, isLit), 60);
}

TEST_F(SliceSceneDrawing, WritesNothingOverTheLetterBelowInANarrowView) {
  look.lettersVisible = look.scaleBar = true;
  const auto letter = [&](int width) {
    window->SetSize(width, 220);
    draw({volumeLayer(centeredGrid(50, 2), [](auto) { return 0.F; })});
    keep("letters-" + std::to_string(width));
    return count(width / 2 - 12, 0, width / 2 + 12, 105,
                 [](const auto& p) { return p.r > 150 && p.r > 2 * p.b; });
  };
  const int whole = letter(400);
  EXPECT_GT(whole, 30);
  EXPECT_EQ(letter(124), whole);
}

TEST_F(SliceSceneDrawing, WritesNoWarningOverTheScaleBarInANarrowView) {
  look.lettersVisible = look.scaleBar = true;
  auto image = volumeLayer(centeredGrid(50, 2), [](auto) { return 0.F; });
  const auto bar = [&] {  // its right half, which the warning could overlap
    return count(84, 40, 160, 62, [](const auto& p) { return p.r > 200 && p.b > 200; });
  };
  for (const int height : {240, 170}) {
    window->SetSize(168, height);
    image.sidesAssumed = false;
    draw({image});
    const int whole = bar();
    EXPECT_GT(whole, 60);
    image.sidesAssumed = true;
    draw({image});
    keep("warning_over_bar-" + std::to_string(height));
    EXPECT_EQ(bar(), whole) << height;
    EXPECT_EQ(count(84, 40, 168, 62, [](const auto& p) { return p.r > 200 && p.b < 120; }), 0)
        << "the warning stands above it, a sign beside it";
  }
}

TEST_F(SliceSceneDrawing, AsksBehindLeftAndRightWhereTheyAreAssumed) {
  look.lettersVisible = true;
  auto image = volumeLayer(centeredGrid(4, 1), [](auto) { return 0; });
  const auto lit = [&] {
    return std::array{count(0, 85, 30, 115, isLit), count(170, 85, 200, 115, isLit),
                      count(85, 170, 115, 200, isLit), count(120, 0, 200, 25, isLit),
                      count(0, 30, 200, 70, isLit)};
  };
  draw({image});
  const auto sure = lit();
  image.sidesAssumed = true;
  draw({image});
  keep("assumed");
  const auto asked = lit();
  EXPECT_GT(asked[0], sure[0] + 5);
  EXPECT_GT(asked[1], sure[1] + 5);
  EXPECT_EQ(asked[2], sure[2]) << "front and back are no matter of handedness";
  EXPECT_GT(asked[3], sure[3]) << "the convention asks, too";
  EXPECT_GT(asked[4], sure[4] + 40) << "and a sign says so";
}

TEST_F(SliceSceneDrawing, AWarningKeepsToItsSideAndVeilsNothing) {
  look.lettersVisible = true;
  auto image = volumeLayer(centeredGrid(200, 1), [](auto) { return 1; });
  const auto dark = [&] { return count(0, 0, 200, 200, [](const auto& p) { return p.sum() < 500; }); };
  draw({image});
  const int before = dark();
  Layer warned = *image.layer;
  warned.notes.push_back(
      Note::warning("about 59 % of the voxels with P ≥ 0.95 are expected to be false: look."));
  image.layer = std::make_shared<const Layer>(warned);
  draw({image});
  keep("warning_narrow");
  EXPECT_LT(dark() - before, 200 * 60 / 4) << "letters and their shadows, no band behind them";
}

TEST_F(SliceSceneDrawing, ShowsWhatLiesBelowAsSoonAsSomethingShowsThrough) {
  look.keys = false;
  const auto white = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 1; }, 1);
  auto gray = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 0.5; }, 2);
  const auto half = [](const auto& p) { return p.sum() > 300 && p.sum() < 460; };
  draw({white, gray});
  EXPECT_EQ(count(0, 0, 200, 200, half), 200 * 200) << "the white one is covered";
  gray.display.opacity = 0.5;
  draw({white, gray});
  EXPECT_NEAR(at(100, 100).r, 191, 3);
  gray.display.opacity = 1;
  gray.display.hideBelow = 0.6;
  draw({white, gray});
  EXPECT_EQ(count(0, 0, 200, 200, isBright), 200 * 200);
  gray.display.hideBelow.reset();
  draw({white, gray});
  EXPECT_EQ(count(0, 0, 200, 200, half), 200 * 200);
  // A smaller one covers only its own area, and the view may move meanwhile.
  const auto small = volumeLayer(
      centeredGrid(20, 2), [](auto) { return 0.5; }, 2);
  look.crosshair.z = 4;
  draw({white, small});
  EXPECT_NEAR(count(0, 0, 200, 200, half), 80 * 80, 2);
  EXPECT_NEAR(count(0, 0, 200, 200, isBright), 200 * 200 - 80 * 80, 2);
  draw({small, white});
  EXPECT_EQ(count(0, 0, 200, 200, isBright), 200 * 200);
}

TEST_F(SliceSceneDrawing, InterpolatesAlongTheAxesOfTheImageAsItDoesAcrossThem) {
  look.keys = false;
  look.crosshair = {1.3, -2.7, 3.1};
  const auto waves = [](auto p) { return 0.5 + 0.5 * std::sin(0.2 * p.x) * std::cos(0.3 * p.y + 0.1 * p.z); };
  Grid along = centeredGrid(22, 4), across = along;
  across.worldFromVoxel.m[1][0] += 1e-6;  // not visible, but its rows are along no axis
  for (const int normal : {2, 1, 0}) {
    look.normal = normal;
    draw({volumeLayer(along, waves)});
    std::vector<int> seen;
    for (int i = 0; i < 1600; ++i) seen.push_back(at(5 * (i % 40), 5 * (i / 40)).r);
    draw({volumeLayer(across, waves)});
    int different = 0;
    for (int i = 0; i < 1600; ++i)
      different += std::abs(seen[std::size_t(i)] - at(5 * (i % 40), 5 * (i / 40)).r) > 1;
    EXPECT_EQ(different, 0) << "normal " << normal;
    EXPECT_GT(*std::max_element(seen.begin(), seen.end()), 120);
  }
}

TEST_F(SliceSceneDrawing, ShowsAnImageOnlyRightOfTheEdge) {
  auto white = volumeLayer(centeredGrid(50, 2), [](auto) { return 1; });
  for (const double share : {0.25, 0.6}) {
    white.cut = look.edge = share;
    draw({white});
    keep("edge");
    const int x = int(200 * share);
    EXPECT_EQ(count(0, 50, x - 8, 60, isBright), 0) << share;
    EXPECT_EQ(count(x + 8, 50, 200, 60, isBright), 10 * (200 - x - 8)) << share;
  }
  white.cut = look.edge = 1;
  draw({white});
  EXPECT_EQ(count(0, 50, 190, 60, isBright), 0);
  white.cut = look.edge = std::nullopt;
  draw({white});
  EXPECT_EQ(count(0, 50, 200, 60, isBright), 2000) << "all of it again";
}

TEST_F(SliceSceneDrawing, DrawsLabelsWithoutMixingThem) {
  Grid grid = centeredGrid(4, 25);
  auto labels = std::make_shared<Volume<Label>>(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) labels->values[std::size_t(i)] = grid.voxel(i).x;
  auto layer = std::make_shared<Layer>();
  layer->content = LabelsLayer{labels};
  draw({{1, layer, {}, 0}});
  keep("labels");
  for (int x = 0; x < 200; ++x) {
    const Pixel p = at(x, 100);
    bool known = p.sum() == 0;
    for (int label = 1; label < 4; ++label) {
      const Rgb color = labelColor(label);
      known = known ||
              (std::abs(p.r - color[0]) < 2 && std::abs(p.g - color[1]) < 2 && std::abs(p.b - color[2]) < 2);
    }
    EXPECT_TRUE(known) << x << ": " << p.r << ' ' << p.g << ' ' << p.b;
  }
  EXPECT_EQ(at(187, 100).sum(), 0) << "label 0, at the patient's left, is not drawn";
}

TEST_F(SliceSceneDrawing, DrawsLabelsInTheColorsOfTheirTableFilledOrAsOutline) {
  const Grid grid = centeredGrid(4, 25);
  auto labels = std::make_shared<Volume<Label>>(grid);
  std::fill(labels->values.begin(), labels->values.end(), 5);
  auto layer = std::make_shared<Layer>();
  layer->content =
      LabelsLayer{labels, std::make_shared<const LabelTable>(LabelTable{{5, {"five", {{10, 200, 30}}}}})};
  const auto isGreen = [](auto p) { return std::abs(p.g - 200) < 3 && std::abs(p.r - 10) < 3; };
  draw({{1, layer, {}, 0}});
  const int filled = count(0, 0, 200, 200, isGreen);
  EXPECT_GT(filled, 5000);
  Display display;
  display.outline = true;
  draw({{1, layer, display, 0}});
  keep("outline");
  const int outline = count(0, 0, 200, 200, isGreen);
  EXPECT_GT(outline, 200);
  EXPECT_LT(outline, filled / 5);
  EXPECT_EQ(count(80, 80, 120, 120, isGreen), 0) << "the middle is seen through";
  look.extent = 40;
  draw({{1, layer, display, 0}});
  keep("outline-beyond");
  EXPECT_EQ(count(0, 0, 200, 200, isGreen), 0) << "it lies beyond the view";
}

TEST_F(SliceSceneDrawing, DistinguishesLargeLabels) {
  constexpr std::int32_t kFirst = 614454276;  // which a float does not distinguish from the next
  auto labels = std::make_shared<Volume<Label>>(centeredGrid(50, 2));
  for (std::int64_t i = 0; i < labels->grid.voxels(); ++i)
    labels->values[std::size_t(i)] = kFirst + (labels->grid.voxel(i).x < 25);
  auto layer = std::make_shared<Layer>();
  layer->content =
      LabelsLayer{labels, std::make_shared<const LabelTable>(LabelTable{
                              {kFirst, {"one", {{10, 200, 30}}}}, {kFirst + 1, {"next", {{200, 10, 30}}}}})};
  draw({{1, layer, {}, 0}});
  EXPECT_EQ(at(50, 100).g, 200);
  EXPECT_EQ(at(150, 100).r, 200);
  Display display;
  display.outline = true;
  draw({{1, layer, display, 0}});
  EXPECT_GT(at(100, 100).sum() + at(99, 100).sum(), 200) << "the border between them";
}

TEST_F(SliceSceneDrawing, ColorsSticksByTheirDirection) {
  const Grid grid = centeredGrid(1, 50);
  look.normal = 1;  // x and z in the plane
  draw({peaksLayer(grid, {1, 0, 0})});
  keep("stick");
  EXPECT_GT(count(80, 98, 120, 103, [](auto p) { return p.r > 250 && p.g < 5 && p.b < 5; }), 30);
  EXPECT_EQ(count(95, 110, 105, 160, isLit), 0);
  draw({peaksLayer(grid, {0, 0, -1})});
  EXPECT_GT(count(98, 60, 103, 140, [](auto p) { return p.b > 250 && p.r < 5 && p.g < 5; }), 60);
  look.normal = 2;
  draw({peaksLayer(grid, {0, 1, 0})});
  EXPECT_GT(count(98, 60, 103, 140, [](auto p) { return p.g > 250 && p.r < 5 && p.b < 5; }), 60);
}

TEST_F(SliceSceneDrawing, DrawsTheLongestStickAsLongAsAVoxel) {
  draw({peaksLayer(centeredGrid(1, 50), {0.3f, 0, 0})});  // 50 mm: 100 pixels
  EXPECT_NEAR(count(0, 100, 200, 101, isLit), 100, 3);
}

TEST_F(SliceSceneDrawing, DrawsTheLobesOfAnUprightFormUpright) {
  const Grid grid = centeredGrid(1, 80);
  auto shown = peaksLayer(grid, {0, 0, 1});
  auto tensor = std::make_shared<Series<float>>(grid, 15);
  tensor->at(0, 14) = 1;  // f(g) = g_z⁴
  auto layer = std::make_shared<Layer>(*shown.layer);
  std::get<PeaksLayer>(layer->content).tensor = tensor;
  shown.layer = layer;
  scene = std::make_unique<SliceScene>(window);
  scene->setStyles({.glyphs = {.shape = GlyphStyle::Shape::lobes}});
  look.normal = 1;
  draw({shown});
  keep("lobes");
  const int height = count(100, 0, 101, 200, isLit), width = count(0, 140, 200, 141, isLit);
  EXPECT_NEAR(height, 160, 6);
  EXPECT_GT(width, 15);
  EXPECT_LT(width, 80);
  EXPECT_GT(count(0, 0, 200, 200, [](auto p) { return p.b > p.r + 60 && p.b > p.g + 60; }), 500)
      << "blue: S–I";
  look.normal = 2;
  draw({shown});
  EXPECT_NEAR(count(0, 100, 200, 101, isLit), count(100, 0, 101, 200, isLit), 4) << "round seen from above";
}

TEST_F(SliceSceneDrawing, DrawsLobesAtRestAsInAPictureWhateverCameBefore) {
  const Grid grid = centeredGrid(40, 5);  // each voxel of 10 pixels
  auto shown = peaksLayer(grid, {0, 0, 1});
  auto tensor = std::make_shared<Series<float>>(grid, 45);  // order 8: narrow lobes that point all ways
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    tensor->at(i, int(i % 3 == 0 ? 0 : i % 3 == 1 ? 36 : 44)) = 1;
  auto layer = std::make_shared<Layer>(*shown.layer);
  std::get<PeaksLayer>(layer->content).tensor = tensor;
  shown.layer = layer;
  scene = std::make_unique<SliceScene>(window);
  scene->setStyles({.glyphs = {.shape = GlyphStyle::Shape::lobes}});
  const auto lit = [&] {
    draw({shown});
    std::vector<int> columns;
    for (int x = 0; x < 200; ++x) columns.push_back(count(x, 0, x + 1, 200, isLit));
    return columns;
  };
  lit();
  EXPECT_TRUE(scene->leavesOut()) << "while something moves they are coarse";
  look.still = true;
  const auto picture = lit();
  look.still = false;
  for (int frames = 0; frames < 3; ++frames) {
    lit();  // thinned or not, depending on the time
    look.rest = true;
    EXPECT_EQ(lit(), picture);
    EXPECT_FALSE(scene->leavesOut());
    EXPECT_EQ(scene->glyphNote(), "");
    look.rest = false;
  }
  EXPECT_EQ(oneInAtRest(100'000, 0), 1);
  EXPECT_GT(oneInAtRest(10'000'000, 0), 1) << "more than about a second can draw";
  EXPECT_EQ(finestLevelOf(1000, kTrianglesAtRest, 3), 3);
  EXPECT_EQ(finestLevelOf(4000, kTrianglesAtRest, 3), 2);
}

TEST_F(SliceSceneDrawing, DrawsAColorBarOnRequest) {
  auto layer = volumeLayer(centeredGrid(10, 1), [](auto) { return 0; });
  layer.display.colormap = "viridis";
  layer.display.colorBar = true;
  layer.display.hideBelow = 0.5;
  look.center = {500, 0, 0};
  draw({layer});
  keep("colorbar");
  const auto isYellow = [](auto p) { return p.r > 200 && p.g > 200 && p.b < 80; };
  EXPECT_GT(count(100, 130, 200, 150, isYellow), 30) << "the high end of viridis";
  const auto isViolet = [](auto p) { return p.b > 70 && p.r > 40 && p.g < 40; };
  EXPECT_EQ(count(100, 40, 200, 100, isViolet), 0) << "hidden values are not in the bar";
}

TEST_F(SliceSceneDrawing, PutsTheTitlesOfColorBarsOneAboveTheOther) {
  window->SetSize(300, 300);
  drawTwoColorBars("ppm_visual");
  keep("titles");
  // Bars and their numbers end below 226 pixels; titles are above, 18 pixels apart.
  EXPECT_EQ(linesIn(100, 226, 300, 300), 2) << "with a gap between them";
}

TEST_F(SliceSceneDrawing, BreaksALongTitleOfAColorBarInsteadOfCuttingIt) {
  auto layer = volumeLayer(centeredGrid(10, 1), [](auto) { return 0; });
  layer.name = "probability of the visual regressor (CPU, degrees of freedom 45)";
  layer.display.colorBar = true;
  look.center = {500, 0, 0};
  window->SetSize(300, 300);
  draw({layer});
  keep("long_title");
  EXPECT_EQ(linesIn(0, 226, 300, 300), 2) << "which hold all of it";
}

TEST_F(SliceSceneDrawing, KeepsTheTitleOfAColorBarInASmallView) {
  auto layer = volumeLayer(centeredGrid(10, 1), [](auto) { return 0; });
  layer.name = "difference of the displacements (CPU, GPU) of both";
  layer.display.colorBar = true;
  look.center = {500, 0, 0};
  window->SetSize(130, 120);
  draw({layer});
  keep("title_in_a_small_view");
  EXPECT_EQ(count(0, 118, 130, 120, isLit), 0) << "nothing is cut at the upper edge";
  EXPECT_GT(count(0, 90, 60, 118, isLit), 30) << "it begins at the left";
  const int lit = count(0, 92, 130, 120, isLit);
  look.title = "i";
  draw({layer});
  EXPECT_LT(count(0, 92, 130, 120, isLit), lit / 2) << "it stands below the title of the view";
}

TEST(ColorBarTitle, SaysOfWhatItIs) {
  auto layer = volumeLayer(centeredGrid(2, 1), [](auto) { return 0; });
  auto content = std::make_shared<Layer>(*layer.layer);
  content->unit = "P(effect > 3.2)";
  layer.layer = content;
  layer.name = "ppm_visual (CPU)";
  EXPECT_EQ(titleOf(layer), "ppm_visual (CPU): P(effect > 3.2)");
  content = std::make_shared<Layer>(*content);
  content->unit = "°";
  layer.layer = content;
  EXPECT_EQ(titleOf(layer), "ppm_visual (CPU)") << "the sign stands with the numbers";
  EXPECT_EQ(titleIn("ppm (CPU, γ 1): P(effect > 1)", 30, 3), "ppm (CPU, γ 1): P(effect > 1)");
  EXPECT_EQ(titleIn("ppm (CPU, γ 1): P(effect > 1)", 26, 3), "ppm (CPU, γ 1):\nP(effect > 1)")
      << "the unit stays together";
}

TEST_F(SliceSceneDrawing, MarksMapsThatCannotBeReliedOn) {
  auto layer = volumeLayer(centeredGrid(2, 1), [](auto) { return 0; });
  auto content = std::make_shared<Layer>(*layer.layer);
  content->notes = {
      "Orientation from the sform.",
      Note::warning("the chains have not converged: R̂ of 3 of 20 hyper-parameters is above 1.1.")};
  const auto isAmber = [](auto p) { return p.r > 200 && p.g > 120 && p.g < 210 && p.b < 120; };
  draw({layer});
  EXPECT_EQ(count(0, 0, 200, 200, isAmber), 0);
  layer.layer = content;
  EXPECT_EQ(warningsOf({layer, layer}), "Warning: the chains have not converged");
  draw({layer});
  keep("warning");
  EXPECT_GT(count(0, 0, 50, 80, isAmber), 20);
  EXPECT_EQ(count(50, 0, 200, 200, isAmber), 0) << "a sign, which hides nothing of the map";
  content->notes = {Note::warning("about 59 % with P ≥ 0.95 are false. Ask otherwise.")};
  EXPECT_EQ(warningsOf({layer}), "Warning: about 59 % with P ≥ 0.95 are false");
}

TEST_F(SliceSceneDrawing, AWarningIsASignInAViewOfAnySize) {
  const auto isAmber = [](auto p) { return p.r > 200 && p.g > 120 && p.g < 210 && p.b < 120; };
  auto layer = volumeLayer(centeredGrid(2, 1), [](auto) { return 0; });
  Layer warned = *layer.layer;
  warned.notes = {Note::warning("the peaks hold more false ones than was asked for, and this goes on.")};
  layer.layer = std::make_shared<const Layer>(warned);
  look.crosshairVisible = look.lettersVisible = false;
  SliceScene scene(window);
  for (const auto& [width, height] : {std::pair(900, 700), {400, 400}, {240, 140}}) {
    window->SetSize(width, height);
    scene.setLayers({layer});
    scene.look(look);
    scene.render();
    keep("warning-" + std::to_string(width));
    EXPECT_GT(count(0, 0, width, height, isAmber), 20) << width;
    EXPECT_EQ(count(50, 0, width, height, isAmber), 0) << "one sign " << width;
    EXPECT_EQ(scene.warningAt(15, 45).substr(0, 18), "Warning: the peaks") << "which says what it stands for";
    EXPECT_EQ(scene.warningAt(120, 45), "");
  }
}

TEST_F(SliceSceneDrawing, WhatLiesBelowAnotherImageNeitherWarnsNorHasABar) {
  const auto isAmber = [](auto p) { return p.r > 200 && p.g > 120 && p.g < 210 && p.b < 120; };
  const auto isBlue = [](auto p) { return p.b > 120 && p.r < 60; };
  look.crosshairVisible = look.lettersVisible = false;
  auto below = volumeLayer(
      centeredGrid(100, 1), [](auto) { return 1; }, 1);
  Layer warned = *below.layer;
  warned.notes = {Note::warning("the chains have not converged: look.")};
  below.layer = std::make_shared<const Layer>(warned);
  below.display.colormap = "blue-lightblue";
  below.display.range = Range{0, 1};
  below.display.colorBar = true;
  auto above = volumeLayer(
      centeredGrid(100, 1), [](auto) { return 1; }, 2);
  draw({below});
  EXPECT_GT(count(0, 0, 200, 200, isAmber), 20);
  EXPECT_GT(count(100, 0, 200, 200, isBlue), 40);
  draw({below, above});
  keep("covered");
  EXPECT_EQ(count(0, 0, 200, 200, isAmber), 0);
  EXPECT_EQ(count(100, 0, 200, 200, isBlue), 0);
  above.display.opacity = 0.5;
  draw({below, above});
  EXPECT_GT(count(0, 0, 200, 200, isAmber), 20) << "it shines through";
}

TEST(BrokenTextTest, BreaksBetweenWords) {
  const auto width = [](const std::string& line) { return int(line.size()); };
  EXPECT_EQ(brokenText("", 8, width), "");
  EXPECT_EQ(brokenText("left and right", 20, width), "left and right");
  EXPECT_EQ(brokenText("left and right\nare assumed", 8, width), "left and\nright\nare\nassumed");
  EXPECT_EQ(brokenText("unbreakable as such", 4, width), "unbreakable\nas\nsuch");
  EXPECT_EQ(brokenText("sub-01_ses-2_T1w", 10, width), "sub-01_\nses-2_T1w")
      << "names of files at their parts";
  EXPECT_EQ(brokenText("of sub-01_T1w", 10, width), "of\nsub-01_T1w") << "which stay together where they can";
}

TEST_F(SliceSceneDrawing, LaysTheColorBarAcrossATallView) {
  auto layer = volumeLayer(centeredGrid(10, 1), [](auto) { return 0; });
  layer.display.colormap = "viridis";
  layer.display.colorBar = true;
  look.center = {500, 0, 0};
  window->SetSize(150, 200);
  draw({layer});
  keep("colorbar-across");
  const auto isYellow = [](auto p) { return p.r > 200 && p.g > 200 && p.b < 80; };
  const auto isViolet = [](auto p) { return p.b > 70 && p.r > 40 && p.g < 40; };
  EXPECT_GT(count(105, 45, 150, 70, isYellow), 20) << "the high end at the right";
  EXPECT_GT(count(20, 45, 50, 70, isViolet), 20) << "the low end at the left";
  EXPECT_EQ(count(0, 100, 150, 180, isViolet), 0);
}

TEST_F(SliceSceneDrawing, BreaksALongTitleAcrossATallViewAndRaisesWhatStandsAbove) {
  window->SetSize(200, 400);
  drawTwoColorBars("difference of the displacements (CPU, GPU)");
  keep("long_titles_across");
  // Above the lowest 40 pixels, for each bar: the bar, its numbers, two lines of its title.
  EXPECT_EQ(linesIn(0, 40, 200, 300), 8);
}

}  // namespace
}  // namespace sulcus::ui::scene
