#include "ui/scene/volume3d/scene_3d.h"

#include "tests/ui/scene/off_screen.h"

namespace sulcus::ui::scene {
namespace {

class Scene3dDrawing : public Drawing {
 protected:
  void draw(const std::vector<SceneLayer>& layers, char side) {
    if (!scene) scene = std::make_unique<Scene3d>(window);
    scene->setLayers(layers);
    scene->lookFrom(side);
    scene->render();
  }
  std::unique_ptr<Scene3d> scene;
};

/// A block with a square base, made of triangles, x and y from −1 to 1, z from 0 to 1, with a scalar equal to
/// x.
SceneLayer block(int id) {
  auto mesh = std::make_shared<Mesh>();
  for (const float z : {0.f, 20.f})
    for (const auto& [x, y] : {std::pair{-20.f, -20.f}, {20.f, -20.f}, {20.f, 20.f}, {-20.f, 20.f}})
      mesh->points.push_back({x, y, z});
  mesh->triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  auto layer = std::make_shared<Layer>();
  layer->name = "block";
  layer->content = MeshLayer{mesh};
  return {id, layer, {}, 0};
}

TEST_F(Scene3dDrawing, ShowsThePatientsRightAtTheLeftWhenSeenFromTheFront) {
  const auto right = volumeLayer(centeredGrid(40, 2), [](auto p) { return p.x > 0; });
  draw({right}, 'A');
  keep("front");
  EXPECT_GT(count(50, 60, 95, 140, isWhite), 1000);
  EXPECT_EQ(count(105, 80, 150, 140, isWhite), 0);
  draw({right}, 'P');
  EXPECT_EQ(count(50, 80, 95, 140, isWhite), 0);
  EXPECT_GT(count(105, 60, 150, 140, isWhite), 1000);
}

TEST_F(Scene3dDrawing, AColorBarHasNoTitleWhereThatWouldHideWhatTheViewIs) {
  auto layer = volumeLayer(centeredGrid(10, 1), [](auto) { return 0; });
  layer.name = "surface (CPU): displacement (mm)";
  const auto lit = [&](int height, bool withBar) {
    window->SetSize(300, height);
    layer.display.colorBar = withBar;
    scene.reset();
    scene = std::make_unique<Scene3d>(window);
    scene->look({.title = "CPU"});
    draw({layer}, 'A');
    keep("bar_in_" + std::to_string(height) + (withBar ? "" : "_without"));
    return count(0, height - 24, 300, height, [](auto p) { return p.sum() > 300; });
  };
  EXPECT_GT(lit(90, false), 20) << "the title of the view";
  EXPECT_EQ(lit(90, true), lit(90, false));
}

TEST_F(Scene3dDrawing, DoesNotMixAScanWithOneBelowIt) {
  const auto below = volumeLayer(centeredGrid(40, 2), [](auto p) { return p.x > 0; });
  auto above =
      volumeLayer(centeredGrid(40, 2), [](auto p) { return p.x < -60; });  // only its background is visible
  above.id = below.id + 1;
  draw({below, above}, 'A');
  EXPECT_EQ(count(50, 60, 95, 140, isWhite), 0);
  above.display.hideBelow = 0.5;  // the scan is visible through a map
  draw({below, above}, 'A');
  EXPECT_GT(count(50, 60, 95, 140, isWhite), 1000);
}

TEST_F(Scene3dDrawing, ShowsTheLowEndOfAMap) {
  auto map = volumeLayer(centeredGrid(40, 2), [](auto) { return 0; });
  draw({map}, 'A');
  const auto isViolet = [](auto p) { return p.b > 60 && p.r > 40 && p.g < 40; };
  EXPECT_EQ(count(50, 60, 150, 140, isViolet), 0) << "of a scan it is the background";
  map.display.colormap = "viridis";
  draw({map}, 'A');
  EXPECT_GT(count(50, 60, 150, 140, isViolet), 4000);
}

TEST_F(Scene3dDrawing, HasNoBlackRimsInAnyColorMap) {
  // The values in the corners are not part of the map; low values within the patient are.
  for (const char* colors : {"viridis", "gray"}) {
    auto map = volumeLayer(centeredGrid(40, 2), [](auto p) { return norm(p) < 25 ? 0.5 : 0.0; });
    map.display.colormap = colors;
    map.display.range = Range{0, 1};
    draw({map}, 'A');
    keep(std::string("rims_") + colors);
    const auto background = at(3, 197);
    EXPECT_EQ(count(10, 10, 40, 40, [&](auto p) { return std::abs(p.sum() - background.sum()) > 6; }), 0)
        << colors;
    EXPECT_GT(at(100, 100).sum(), 150) << colors;
  }
}

TEST_F(Scene3dDrawing, HasNoRimsAroundAMapOfBothSigns) {
  auto map = volumeLayer(centeredGrid(40, 2), [](auto p) {
    return norm(p) >= 25 ? 0.0 : p.z > 0 ? 0.8 : -0.7;
  });
  map.display.colormap = "cool-warm";  // its middle is white
  map.display.range = Range{-0.8, 1};
  draw({map}, 'A');
  keep("rims_signs");
  const auto background = at(3, 197);
  EXPECT_EQ(count(10, 10, 40, 40, [&](auto p) { return std::abs(p.sum() - background.sum()) > 6; }), 0);
  EXPECT_GT(at(100, 120).r, at(100, 120).b + 40);
  EXPECT_GT(at(100, 80).b, at(100, 80).r + 40);
}

TEST_F(Scene3dDrawing, FitsWhatIsSeenFromEverySide) {
  const auto cube = volumeLayer(centeredGrid(40, 2), [](auto) { return 1; });
  for (const char side : {'A', 'L', 'S'}) {
    draw({cube}, side);
    EXPECT_GT(count(20, 20, 180, 180, isWhite), 15000) << side << ": nearly all of the view";
    EXPECT_EQ(count(0, 0, 200, 3, isWhite), 0) << side;
  }
}

TEST_F(Scene3dDrawing, HasTheHeadUpFromTheSidesAndTheFrontUpFromAbove) {
  const auto top = volumeLayer(centeredGrid(40, 2), [](auto p) { return p.z > 0; });
  for (const char side : {'A', 'P', 'L', 'R'}) {
    draw({top}, side);
    EXPECT_GT(count(60, 110, 140, 150, isWhite), 800) << side;
    EXPECT_EQ(count(60, 50, 140, 90, isWhite), 0) << side;
  }
  const auto front = volumeLayer(centeredGrid(40, 2), [](auto p) { return p.y > 0; });
  draw({front}, 'S');
  EXPECT_GT(count(60, 110, 140, 150, isWhite), 800);
  EXPECT_EQ(count(60, 50, 140, 90, isWhite), 0);
}

TEST_F(Scene3dDrawing, ColorsSurfacesByTheirScalars) {
  SceneLayer plain = block(1);
  auto mesh = std::make_shared<Mesh>(*std::get<MeshLayer>(plain.layer->content).mesh);
  for (const auto& point : mesh->points) mesh->pointScalars["x"].push_back(point.x);
  auto layer = std::make_shared<Layer>();
  layer->content = MeshLayer{mesh};
  SceneLayer scored{2, layer, {}, 0};
  scored.display.colormap = "cool-warm";
  scored.display.range = Range{-20, 20};
  draw({scored}, 'S');
  keep("surface");
  EXPECT_GT(at(40, 100).b, at(40, 100).r + 40) << "low values, at the patient's left";
  EXPECT_GT(at(160, 100).r, at(160, 100).b + 40);
}

TEST_F(Scene3dDrawing, HasBarsOfTheImagesOnItsPlanes) {
  const auto isRed = [](const auto& p) { return p.r > 150 && p.g < 90 && p.b < 90; };
  window->SetSize(400, 300);  // wide: the bar is to the right of the planes
  auto map = volumeLayer(
      centeredGrid(20, 2), [](auto) { return 0.5; }, 3);
  map.display.colormap = "cool-warm";
  draw({map}, 'A');
  EXPECT_EQ(count(320, 100, 400, 300, isRed), 0);
  map.display.colorBar = true;
  draw({map}, 'A');
  keep("bar_in_3d");
  EXPECT_GT(count(320, 100, 400, 300, isRed), 100);
  draw({block(1), map}, 'A');
  EXPECT_EQ(count(320, 100, 400, 300, isRed), 0) << "beside a surface the planes are not shown";
}

TEST_F(Scene3dDrawing, LetsSurfacesHideWhatIsBehindThem) {
  const Grid grid = centeredGrid(1, 30);
  const auto isGreen = [](const auto& p) { return p.g > 200 && p.r < 60 && p.b < 60; };
  draw({peaksLayer(grid, {0, 1, 0})}, 'S');
  EXPECT_GT(count(0, 80, 120, 200, isGreen), 50);
  draw({block(1), peaksLayer(grid, {0, 1, 0})}, 'S');
  EXPECT_EQ(count(0, 80, 120, 200, isGreen), 0) << "the stick lies below the top of the block";
}

TEST_F(Scene3dDrawing, ThinsTooManyGlyphsOnlyWithANote) {
  draw({peaksLayer(centeredGrid(10, 2), {1, 0, 0})}, 'A');
  EXPECT_EQ(scene->glyphNote(), "");
}

TEST_F(Scene3dDrawing, BeginsLargeResultsThinned) {
  const auto isRed = [](const auto& p) { return p.r > 200 && p.g < 60 && p.b < 60; };
  draw({peaksLayer(centeredGrid(80, 1), {1, 0, 0})}, 'A');
  EXPECT_EQ(scene->glyphNote(), "showing 1 in 26 glyphs");
  EXPECT_GT(count(60, 60, 140, 140, isRed), 200);
  draw({peaksLayer(centeredGrid(10, 2), {1, 0, 0})}, 'A');
  EXPECT_EQ(scene->glyphNote(), "") << "a small one is whole again";
}

TEST_F(Scene3dDrawing, KeepsThePoseItWasGiven) {
  draw({block(1)}, 'A');
  const CameraPose pose{{10, 300, 20}, {1, 2, 3}, {0, 0, 1}};
  scene->setPose(pose);
  scene->render();
  EXPECT_EQ(scene->pose(), pose);
}

}  // namespace
}  // namespace sulcus::ui::scene
