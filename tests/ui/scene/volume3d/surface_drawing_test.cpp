// Surfaces in 3D and as outlines in slices.
#include "tests/ui/mesh_analysis.h"
#include "tests/ui/scene/off_screen.h"
#include "ui/scene/slices/slice_scene.h"
#include "ui/scene/volume3d/scene_3d.h"

namespace sulcus::ui::scene {
namespace {

SceneLayer surface(int id, Mesh mesh, int color = 0) {
  SceneLayer made{id, std::make_shared<const Layer>(test::meshLayer("surface", std::move(mesh))), {}, 0};
  made.color = color;
  made.name = "surface " + std::to_string(id);
  return made;
}

/// Colored by x.
SceneLayer scored(int id, Mesh mesh) {
  for (const auto& p : mesh.points) mesh.pointScalars["displacement"].push_back(p.x);
  Layer layer = test::meshLayer("surface", std::move(mesh));
  layer.unit = "mm";
  SceneLayer made{id, std::make_shared<const Layer>(std::move(layer)), {}, 0};
  made.display.colormap = "cool-warm";
  made.display.range = Range{-20, 20};
  made.display.colorBar = true;
  return made;
}

const auto isOrange = [](const auto& p) { return p.r > 120 && p.b < p.r / 3; };
const auto isSky = [](const auto& p) { return p.b > 120 && p.r < p.b / 1.5; };

class SurfaceIn3d : public Drawing {
 protected:
  void draw(const std::vector<SceneLayer>& layers, const Vec3<double>& crosshair = {0, 0, 0}) {
    if (!scene) scene = std::make_unique<Scene3d>(window);
    scene->setLayers(layers);
    scene->look({.crosshair = crosshair});
    scene->lookFrom('S');
    scene->render();
  }
  std::unique_ptr<Scene3d> scene;
};

TEST_F(SurfaceIn3d, HidesWhatIsBehindItWhateverIsDrawnFirst) {
  const Mesh near = test::ball(10, 3, {0, 0, 20}), far = test::ball(25, 3, {0, 0, -20});
  for (const bool nearFirst : {false, true}) {
    std::vector<SceneLayer> both{surface(1, far, 0), scored(2, near)};
    if (nearFirst) std::swap(both[0], both[1]);
    draw(both);
    EXPECT_EQ(count(92, 92, 108, 108, isOrange), 0) << nearFirst;
    EXPECT_GT(count(5, 5, 195, 195, isOrange), 500) << nearFirst;
  }
}

TEST_F(SurfaceIn3d, HasTheColorsOfItsLabelsAndNoBarForThem) {
  Mesh mesh = test::ball(20);
  for (const auto& p : mesh.points)  // red at the right, blue at the left, none in front
    mesh.pointScalars["regions"].push_back(p.y > 5 ? 0 : p.x > 0 ? 7 : 9);
  mesh.labelTables["regions"] = std::make_shared<const LabelTable>(
      LabelTable{{7, {"right", {{255, 0, 0}}}}, {9, {"left", {{0, 0, 255}}}}});
  SceneLayer layer = surface(1, std::move(mesh));
  layer.display.colorBar = true;
  layer.display.colormap = "viridis";
  draw({layer});
  keep("labels");
  const auto isRed = [](const auto& p) { return p.r > 100 && p.g < 60 && p.b < 60; };
  const auto isBlue = [](const auto& p) { return p.b > 100 && p.g < 60 && p.r < 60; };
  const auto isGray = [](const auto& p) {
    return p.r > 60 && std::abs(p.r - p.g) < 8 && std::abs(p.r - p.b) < 8;
  };
  EXPECT_GT(count(100, 40, 160, 100, isRed) + count(40, 40, 100, 100, isRed), 300);
  EXPECT_GT(count(100, 40, 160, 100, isBlue) + count(40, 40, 100, 100, isBlue), 300);
  EXPECT_GT(count(85, 120, 115, 150, isGray), 100) << "without a label it is plain";
  const auto isViridis = [](const auto& p) { return p.g > 100 && p.r < p.g - 40; };
  EXPECT_EQ(count(150, 0, 200, 200, isViridis), 0) << "there are no numbers to read";
}

TEST_F(SurfaceIn3d, HidesPlanesUntilTheyAreRequested) {
  const auto bright = volumeLayer(centeredGrid(40, 2), [](auto) { return 1; });
  draw({bright});
  EXPECT_GT(count(0, 0, 200, 200, isWhite), 2000);
  draw({bright, surface(2, test::ball(20))});
  EXPECT_EQ(count(0, 0, 130, 200, isWhite), 0);
  EXPECT_GT(count(60, 60, 140, 140, isOrange), 1000);
  scene->setStyles({.planesBesideSurfaces = true});
  scene->render();
  EXPECT_GT(count(0, 0, 130, 200, isWhite), 2000);
}

TEST_F(SurfaceIn3d, HasAColorBarWithNameAndUnitForEachKindOfColors) {
  const auto brightAtRight = [&] {
    return count(150, 80, 200, 170, [](const auto& p) { return p.sum() > 350; });
  };
  draw({surface(1, test::ball(12))});
  EXPECT_EQ(brightAtRight(), 0);
  draw({scored(1, test::ball(12))});
  keep("surface-bar");
  const int one = brightAtRight();
  EXPECT_GT(one, 300);
  draw({scored(1, test::ball(12)), scored(2, test::ball(6))});
  EXPECT_EQ(brightAtRight(), one) << "the same colors have one bar";
  SceneLayer plain = scored(1, test::ball(12));
  plain.volume = -1;
  draw({plain});
  EXPECT_EQ(brightAtRight(), 0);
  EXPECT_GT(count(60, 60, 140, 140, isOrange), 500) << "plain";
}

TEST_F(SurfaceIn3d, FindsThePointUnderAPixel) {
  draw({surface(1, test::ball(20, 4)), surface(7, test::ball(5, 3, {0, 0, 40}))});
  const auto above = scene->pointAt(100, 100);
  ASSERT_TRUE(above);
  EXPECT_EQ(above->layer, 7) << "the nearer one";
  EXPECT_NEAR(above->world.z, 45, 0.6);
  EXPECT_FALSE(scene->pointAt(3, 3));
  scene->setLayers({surface(1, test::ball(20, 4))});
  ASSERT_TRUE(scene->pointAt(100, 100));
  EXPECT_EQ(scene->pointAt(100, 100)->layer, 1);
  EXPECT_LT(scene->pointAt(125, 100)->world.x, scene->pointAt(75, 100)->world.x + 100);
  EXPECT_GT(scene->pointAt(125, 100)->world.x, 3) << "seen from above with the front up: right is right";
}

TEST_F(SurfaceIn3d, IsSeenAndFoundInsideWhereItIsCutOpen) {
  SceneLayer ball = surface(1, test::ball(20, 4));
  draw({ball});
  EXPECT_NEAR(scene->pointAt(100, 100)->world.z, 20, 0.6);
  const int whole = count(0, 0, 200, 200, isOrange);
  for (const Cut cut : {Cut::axial, Cut::facing}) {
    ball.display.cut = cut;
    draw({ball}, {0, 0, 5});
    keep("surface_cut_" + std::to_string(int(cut)));
    EXPECT_NEAR(scene->pointAt(100, 100)->world.z, -20, 0.6) << "its inner side";
    EXPECT_GT(count(90, 90, 110, 110, isOrange), 300);
    EXPECT_LT(count(0, 0, 200, 200, isOrange), whole) << "the rim is narrower";
    draw({ball}, {0, 0, -30});
    EXPECT_FALSE(scene->pointAt(100, 100)) << "all of it lies before the crosshair";
    EXPECT_EQ(count(0, 0, 200, 200, isOrange), 0);
  }
}

TEST_F(SurfaceIn3d, ShowsAsMuchAlongTheShorterSideOfAView) {
  draw({surface(1, test::ball(20, 4))});
  const int wide = count(0, 100, 200, 101, isOrange);
  EXPECT_GT(wide, 100);
  for (const auto& [width, height] : {std::pair{200, 300}, {300, 200}}) {
    window->SetSize(width, height);
    scene->render();
    EXPECT_NEAR(count(0, height / 2, width, height / 2 + 1, isOrange), wide, 2) << width << " × " << height;
  }
}

TEST_F(SurfaceIn3d, MarksTheCrosshairBrightInFrontAndFaintBehind) {
  const auto isGreen = [](const auto& p) { return p.g > 180 && p.r < 140 && p.b < 150; };
  draw({surface(1, test::ball(20))}, {0, 0, 22});
  keep("surface-mark");
  const int bright = count(60, 60, 140, 140, isGreen);
  EXPECT_GT(bright, 20);
  draw({surface(1, test::ball(20))}, {0, 0, -22});
  EXPECT_LT(count(60, 60, 140, 140, isGreen), bright / 4);
  const auto isOther = [](const auto& p) { return p.b > 25 && p.g > 120; };
  EXPECT_GT(count(85, 85, 115, 115, isOther), 5) << "it shines through";
  scene->look({.crosshair = {0, 0, -22}, .crosshairVisible = false});
  scene->render();
  EXPECT_EQ(count(85, 85, 115, 115, isOther), 0);
}

class OutlineInSlices : public Drawing {
 protected:
  void draw(const std::vector<SceneLayer>& layers, double z = 0, int normal = 2) {
    if (!scene) scene = std::make_unique<SliceScene>(window);
    scene->setLayers(layers);
    SliceLook look;
    look.normal = normal;
    look.crosshair[normal] = z;
    look.extent = 100;
    look.crosshairVisible = look.lettersVisible = false;
    scene->look(look);
    scene->render();
  }
  std::unique_ptr<SliceScene> scene;
};

TEST_F(OutlineInSlices, IsACircleWhereThePlaneCutsABall) {
  for (int normal = 0; normal < 3; ++normal) {
    draw({surface(1, test::ball(25, 4))}, 0, normal);
    EXPECT_GT(count(147, 95, 153, 105, isOrange), 10) << normal;
    EXPECT_EQ(count(70, 70, 130, 130, isOrange), 0) << "nothing inside, " << normal;
    EXPECT_EQ(count(160, 0, 200, 200, isOrange), 0);
  }
  draw({surface(1, test::ball(25, 4))}, 15, 2);  // radius 20
  EXPECT_EQ(count(147, 95, 153, 105, isOrange), 0);
  EXPECT_GT(count(137, 95, 143, 105, isOrange), 10);
  draw({surface(1, test::ball(25, 4))}, 30, 2);
  EXPECT_EQ(count(0, 0, 200, 200, isOrange), 0);
}

TEST_F(OutlineInSlices, DistinguishesSeveralByColorAndLegend) {
  draw({surface(1, test::ball(25, 4), 0)});
  EXPECT_EQ(count(0, 170, 60, 200, isOrange), 0) << "one alone needs no legend";
  draw({surface(1, test::ball(25, 4), 0), surface(2, test::ball(15, 4), 1)});
  keep("outlines");
  EXPECT_GT(count(147, 95, 153, 105, isOrange), 10);
  EXPECT_GT(count(127, 95, 133, 105, isSky), 10);
  EXPECT_GT(count(0, 160, 100, 200, isOrange), 20);
  EXPECT_GT(count(0, 160, 100, 200, isSky), 20);
}

TEST_F(OutlineInSlices, LieOverEachOtherAsTheLayersDo) {
  const auto below = surface(1, test::ball(25, 4), 0), above = surface(2, test::ball(25, 4), 1);
  const auto isSeen = [&](auto&& color) { return count(147, 95, 153, 105, color) > 10; };
  draw({above});
  draw({below, above});
  EXPECT_TRUE(isSeen(isSky)) << "the one below was made later";
  EXPECT_FALSE(isSeen(isOrange));
  draw({above, below});
  EXPECT_TRUE(isSeen(isOrange)) << "moved up";
  draw({below, above});
  EXPECT_TRUE(isSeen(isSky));
}

}  // namespace
}  // namespace sulcus::ui::scene
