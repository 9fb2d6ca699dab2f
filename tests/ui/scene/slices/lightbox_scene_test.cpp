#include "ui/scene/slices/lightbox_scene.h"

#include "tests/ui/scene/off_screen.h"

namespace sulcus::ui::scene {
namespace {

/// Slices along z of an image that is white for 0 < z < 10, in 2 × 2 tiles of a window of 200 × 200.
class LightboxDrawing : public Drawing {
 protected:
  void draw(const std::vector<double>& places) {
    scene.setLayers({volumeLayer(centeredGrid(40, 2), [](auto p) { return p.z > 0 && p.z < 10; })});
    scene.look(look, places, 2, 2);
    scene.render();
  }
  SliceLook look{.normal = 2, .extent = 80, .crosshairVisible = false, .lettersVisible = false};
  LightboxScene scene{window};
};

TEST_F(LightboxDrawing, ShowsTheSlicesInReadingOrderAndNothingWhereThereIsNone) {
  draw({-5, 5, 15});
  keep("lightbox");
  EXPECT_EQ(at(50, 150).sum(), 0) << "z = −5 at the top left";
  EXPECT_GT(at(150, 150).sum(), 700) << "z = 5 at the top right";
  EXPECT_EQ(at(50, 50).sum(), 0);
  draw({5});
  EXPECT_GT(at(50, 150).sum(), 700);
  EXPECT_EQ(at(150, 150).sum(), 0);
  EXPECT_FALSE(scene.tileAt(150, 150));
}

TEST_F(LightboxDrawing, KnowsTheScannerPositionUnderAPixelOfEachTile) {
  draw({-5, 5, 15, 25});
  const auto world = scene.worldAt(150, 50);
  ASSERT_TRUE(world);
  EXPECT_NEAR(world->z, 25, 1e-9);
  EXPECT_NEAR(world->x, 0, 0.5);
  EXPECT_NEAR(world->y, 0, 0.5);
  EXPECT_LT(scene.worldAt(190, 50)->x, -30) << "the patient's left is at the right";
  EXPECT_EQ(scene.tileAt(10, 190), 0);
}

TEST_F(LightboxDrawing, MarksTheCrosshairInTheNearestSliceAlone) {
  look.crosshairVisible = true;
  look.crosshair = {0, 0, 14};
  draw({-5, 5, 15});
  const auto isGreen = [](const auto& p) { return p.g > 120 && p.r < 120; };
  EXPECT_GT(count(0, 0, 100, 100, isGreen), 100);
  EXPECT_EQ(count(0, 101, 200, 200, isGreen), 0);
}

TEST_F(LightboxDrawing, SaysTheConventionOnceAndNamesTheSidesInTheFirstTile) {
  look.lettersVisible = true;
  draw({-5, 15, 25, 35});
  keep("lightbox_letters");
  const auto isYellow = [](const auto& p) { return p.r > 200 && p.b < 140; };
  EXPECT_GT(count(0, 100, 100, 200, isYellow), 20);
  EXPECT_EQ(count(101, 100, 200, 200, isYellow), 0);
  const auto isLit = [](const auto& p) { return p.sum() > 60; };
  EXPECT_GT(count(120, 25, 200, 45, isLit), 60) << "Radiological, above the position in so narrow a tile";
  EXPECT_EQ(count(190, 100, 200, 125, isLit), 0);
}

TEST_F(LightboxDrawing, PutsColorBarsBelowTheSlices) {
  auto white = volumeLayer(centeredGrid(40, 2), [](auto) { return 1; });
  scene.setLayers({white});
  scene.look(look, {-5, 5, 15, 25}, 2, 2);
  scene.render();
  EXPECT_EQ(scene.tileAt(10, 5), 2);
  const int slices = count(0, 0, 200, 200, isWhite);

  white.display.colorBar = true;
  white.display.colormap = "red";
  scene.setLayers({white});
  scene.look(look, {-5, 5, 15, 25}, 2, 2);
  scene.render();
  keep("lightbox_bar");
  EXPECT_FALSE(scene.tileAt(10, 5)) << "the margin of the bar is no slice";
  EXPECT_TRUE(scene.tileAt(10, 199));
  EXPECT_NEAR(scene.worldAt(150, 140)->z, 5, 1e-9) << "slices share what is left";
  EXPECT_NEAR(scene.worldAt(150, 125)->z, 25, 1e-9);
  const auto isRed = [](const auto& p) { return p.r > 60 && p.g < p.r / 2; };
  EXPECT_GT(count(40, 0, 160, 56, isRed), 500) << "the bar";
  EXPECT_GT(slices, 0);
}

}  // namespace
}  // namespace sulcus::ui::scene
