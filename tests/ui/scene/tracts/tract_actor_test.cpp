#include "tests/ui/scene/off_screen.h"
#include "ui/scene/slices/slice_scene.h"
#include "ui/scene/volume3d/scene_3d.h"

namespace sulcus::ui::scene {
namespace {

/// Two lines through the center, one to the left and one upwards, 60 mm long.
SceneLayer crossOfLines() {
  auto tracts = std::make_shared<Tracts>();
  for (int i = -30; i <= 30; ++i) tracts->points.push_back({float(i), 0, 0});
  tracts->first.push_back(tracts->points.size());
  for (int i = -30; i <= 30; ++i) tracts->points.push_back({0, 0, float(i)});
  tracts->first.push_back(tracts->points.size());
  tracts->perLine = {{"weight", 1, {0, 1}}};
  Layer layer;
  layer.name = "cross";
  layer.content = TractsLayer{tracts};
  SceneLayer shown;
  shown.id = 1, shown.layer = std::make_shared<const Layer>(std::move(layer));
  shown.display.colorBar = false;
  return shown;
}

constexpr auto isRed = [](const auto& p) { return p.r > 120 && p.g < 60 && p.b < 60; };
constexpr auto isBlue = [](const auto& p) { return p.b > 120 && p.r < 60 && p.g < 60; };

class TractDrawing : public Drawing {
 protected:
  void look(Scene3d& scene, const SceneLayer& layer) {
    scene.setLayers({layer});
    scene.lookFrom('A');
    scene.look({.crosshairVisible = false, .rest = true});
    scene.render();
  }
};

TEST_F(TractDrawing, LinesAreColoredByTheirDirection) {
  Scene3d scene(window);
  look(scene, crossOfLines());
  keep("tracts");
  EXPECT_GT(count(0, 0, 200, 200, isRed), 60);
  EXPECT_GT(count(0, 0, 140, 200, isBlue), 60);  // not the cube
}

TEST_F(TractDrawing, OnlyTheLinesOfBundlesAreShown) {
  Scene3d scene(window);
  SceneLayer layer = crossOfLines();
  auto shown = std::make_shared<ShownTracts>();
  shown->parts = {{std::make_shared<const std::vector<std::uint32_t>>(1, 1u), 61, 0}};
  layer.tracts = shown;
  look(scene, layer);
  EXPECT_EQ(count(0, 0, 140, 200, isRed), 0);
  EXPECT_GT(count(0, 0, 140, 200, isBlue), 60);
}

TEST(ThinnedLines, LieEvenlyAndAreAmongThoseOfALargerShare) {
  for (const int oneIn : {1, 2, 7, 50}) {
    int shown = 0;
    for (std::uint32_t line = 0; line < 10'000; ++line) {
      shown += isAmong(line, oneIn);
      if (isAmong(line, oneIn + 1)) EXPECT_TRUE(isAmong(line, oneIn)) << line;
    }
    EXPECT_NEAR(shown, 10'000.0 / oneIn, 3) << oneIn;
  }
}

TEST_F(TractDrawing, WhileARegionIsDraggedFewOfTheChosenLinesAreDrawnAndAllAtRest) {
  auto tracts = std::make_shared<Tracts>();
  auto lines = std::make_shared<std::vector<std::uint32_t>>();
  for (std::uint32_t line = 0; line < 1000; ++line) {
    for (int i = 0; i < 100; ++i) tracts->points.push_back({float(i), float(line % 40), float(line / 40)});
    tracts->first.push_back(tracts->points.size());
    lines->push_back(line);
  }
  SceneLayer layer = crossOfLines();
  Layer many = *layer.layer;
  many.content = TractsLayer{tracts};
  layer.layer = std::make_shared<const Layer>(std::move(many));
  auto shown = std::make_shared<ShownTracts>();
  shown->parts = {{lines, 100'000, 0}};
  shown->moves = true;
  layer.tracts = shown;
  Scene3d scene(window);
  scene.look({.onGpu = false});
  scene.setLayers({layer});
  scene.lookFrom('A');
  scene.render();
  EXPECT_EQ(scene.glyphNote(), "showing 1 in 6 lines");
  EXPECT_FALSE(scene.render()) << "no picture more at the next step";
  EXPECT_TRUE(scene.leavesOut());
  scene.look({.onGpu = false, .rest = true});
  scene.render();
  EXPECT_EQ(scene.glyphNote(), "");
  SliceScene slice(window);
  slice.setLayers({layer});
  SliceLook look{.normal = 2, .crosshair = {50, 20, 5}, .center = {50, 20, 5}, .extent = 120};
  slice.look(look);
  slice.render();
  EXPECT_TRUE(slice.glyphNote().starts_with("showing 1 in")) << slice.glyphNote();
  EXPECT_GT(count(20, 60, 180, 140, isRed), 20);
  look.rest = true;
  slice.look(look);
  slice.render();
  EXPECT_EQ(slice.glyphNote(), "");
}

TEST_F(TractDrawing, RegionsAreSeenAndPointedAt) {
  Scene3d scene(window);
  SceneLayer layer = crossOfLines();
  auto shown = std::make_shared<ShownTracts>();
  shown->regions = {{TractRegion::Role::include, TractRegion::Shape::sphere, {0, 0, 0}, {8, 8, 8}}};
  shown->region = 0;
  layer.tracts = shown;
  look(scene, layer);
  keep("regions");
  constexpr auto isGreen = [](const auto& p) { return p.g > p.r + 25 && p.g > p.b + 25; };
  EXPECT_GT(count(60, 60, 140, 140, isGreen), 100);
  const auto picked = scene.regionAt(100, 100);
  ASSERT_TRUE(picked);
  EXPECT_EQ(picked->region, 0);
  EXPECT_NEAR(norm(picked->world), 8, 0.5);
  EXPECT_FALSE(scene.regionAt(5, 195));
  const Vec3<double> place = scene.placeAt(100, 100, {0, 0, 0});
  EXPECT_NEAR(norm(place), 0, 1);
}

TEST_F(TractDrawing, SlicesShowTheLinesOfTheirSlab) {
  SliceScene scene(window);
  scene.setLayers({crossOfLines()});
  const auto look = [&](double z) {
    scene.look({.normal = 2,
                .crosshair = {0, 0, z},
                .center = {0, 0, z},
                .extent = 80,
                .crosshairVisible = false,
                .lettersVisible = false,
                .keys = false,
                .rest = true});
    scene.render();
  };
  look(0.5);
  EXPECT_GT(count(20, 90, 180, 110, isRed), 60);
  look(5);
  EXPECT_EQ(count(20, 90, 180, 110, isRed), 0);
}

TEST_F(TractDrawing, ManyLinesAreThinnedWhileTheViewMovesAndItSaysSo) {
  auto tracts = std::make_shared<Tracts>();
  for (int line = 0; line < 4000; ++line) {
    for (int i = 0; i < 100; ++i) tracts->points.push_back({float(i), float(line % 60), float(line / 60)});
    tracts->first.push_back(tracts->points.size());
  }
  SceneLayer layer = crossOfLines();
  Layer many = *layer.layer;
  many.content = TractsLayer{tracts};
  layer.layer = std::make_shared<const Layer>(std::move(many));
  Scene3d scene(window);
  scene.look({.onGpu = false});
  scene.setLayers({layer});
  scene.lookFrom('A');
  scene.render();
  EXPECT_TRUE(scene.glyphNote().starts_with("showing 1 in")) << scene.glyphNote();
  EXPECT_TRUE(scene.glyphNote().ends_with("lines"));
  EXPECT_TRUE(scene.leavesOut());
  scene.look({.onGpu = false, .rest = true});
  scene.render();
  EXPECT_EQ(scene.glyphNote(), "");
}

}  // namespace
}  // namespace sulcus::ui::scene
