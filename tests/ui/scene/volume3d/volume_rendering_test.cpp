#include "ui/scene/volume3d/volume_rendering.h"

#include "tests/ui/scene/off_screen.h"
#include "ui/scene/volume3d/scene_3d.h"

#include <cmath>

namespace sulcus::ui::scene {
namespace {

TEST(VolumeOpacityTest, GrowsOverTheRangeAndIsNothingWhereThresholdsHide) {
  Display display;
  const Range range{0, 100};
  EXPECT_EQ(volumeOpacity(display, range, 5), 0) << "air";
  EXPECT_EQ(volumeOpacity(display, range, -50), 0);
  EXPECT_LT(volumeOpacity(display, range, 20), volumeOpacity(display, range, 40));
  EXPECT_EQ(volumeOpacity(display, range, 80), volumeOpacity(display, range, 1000));
  EXPECT_EQ(volumeOpacity(display, range, std::nan("")), 0);
  display.hideBelow = 50;
  EXPECT_EQ(volumeOpacity(display, range, 40), 0);
  EXPECT_GT(volumeOpacity(display, range, 60), 0.5);
}

TEST(VolumeOpacityTest, GrowsToBothEndsOfARangeWithBothSigns) {
  const Range range{-4, 8};
  EXPECT_EQ(volumeOpacity({}, range, 0), 0);
  EXPECT_EQ(volumeOpacity({}, range, -3), volumeOpacity({}, range, 3));
  EXPECT_GT(volumeOpacity({}, range, -4), 0.5);
}

class VolumeRenderingDrawing : public Drawing {
 protected:
  /// A ball of 30 mm as a volume rendering, seen from the front.
  SceneLayer ball(Cut cut) {
    auto layer = volumeLayer(centeredGrid(40, 2), [](auto p) { return norm(p) < 30; });
    layer.display.rendered = true;
    layer.display.cut = cut;
    return layer;
  }
  void draw(const SceneLayer& layer, char side) {
    scene.setLayers({layer});
    scene.look(look);
    scene.lookFrom(side);
    while (scene.render()) {
    }
  }
  Look3d look{.onGpu = false};
  Scene3d scene{window};
};

const auto isBody = [](const auto& p) { return p.sum() > 150; };

TEST_F(VolumeRenderingDrawing, ShowsAnImageAsABodyFromEverySide) {
  for (const char side : {'A', 'L', 'S'}) {
    draw(ball(Cut::nothing), side);
    keep(std::string("body_") + side);
    const int all = count(0, 0, 200, 200, isBody);
    EXPECT_GT(all, 4000) << side;
    EXPECT_GT(at(100, 100).sum(), 300) << side;
    // A disk: as wide as it is high.
    EXPECT_NEAR(count(20, 100, 180, 101, isBody), count(100, 20, 101, 180, isBody), 4) << side;
  }
}

TEST_F(VolumeRenderingDrawing, IsDrawnCoarselyWhileItMovesAndFinelyWhenItRests) {
  scene.look(look);
  scene.setLayers({ball(Cut::nothing)});
  scene.lookFrom('A');
  EXPECT_TRUE(scene.render()) << "it is new";
  EXPECT_FALSE(scene.render());
  scene.setPose({{0, 300, 20}, {}, {0, 0, 1}});
  EXPECT_TRUE(scene.render());
  EXPECT_FALSE(scene.render());
}

TEST_F(VolumeRenderingDrawing, HasNoRingsAtRest) {
  // Along a row the brightness of a ball lit from the camera rises and falls once; rings add steps in both
  // directions.
  draw(ball(Cut::nothing), 'A');
  EXPECT_TRUE(scene.leavesOut()) << "it is finer at rest";
  const auto rings = [this] {
    int steps = 0;
    for (int x = 40; x < 158; ++x)
      steps += std::abs(at(x, 100).sum() - 2 * at(x + 1, 100).sum() + at(x + 2, 100).sum());
    return steps;
  };
  const int before = rings();
  look.rest = true;
  scene.look(look);
  EXPECT_FALSE(scene.render());
  keep("body_at_rest");
  EXPECT_LT(3 * rings(), 2 * before) << "what is left are the steps of 8 bits";
  EXPECT_FALSE(scene.leavesOut());
}

TEST_F(VolumeRenderingDrawing, ShowsPlanesOnlyAsSidesOfTheOctantThatIsCutOut) {
  // The rest of the planes is inside the body; its skin here is nearly transparent and would show them.
  auto layer = volumeLayer(centeredGrid(40, 2), [](auto p) { return norm(p) < 30 ? 1.0 : 0.0; });
  layer.display.rendered = true;
  layer.display.cut = Cut::octant;
  layer.display.range = Range{0, 8};  // hardly a body, a sufficiently bright plane
  scene.look(look);
  scene.setLayers({layer});
  scene.setPose({{200, 200, 200}, {}, {0, 0, 1}});
  while (scene.render()) {
  }
  keep("octant_sides");
  // From here the sides of the octant form a hexagon within the outline of the ball; the far quarters of the
  // planes would extend as far on the other side of the center.
  const auto drawn = [](const auto& p) { return p.sum() > 75; };
  EXPECT_GT(count(0, 0, 200, 200, drawn), 500);
  int beyond = 0;
  for (int i = 0; i < 8; ++i) beyond += drawn(at(100, 150 + i));
  EXPECT_EQ(beyond, 0) << "the planes x and y go on behind the body's upper back";
}

TEST_F(VolumeRenderingDrawing, LosesTheOctantOfTheCrosshairThatFacesTheViewer) {
  // Yellow in the octant at the right, front and top, red elsewhere; on an oblique grid.
  for (const double angle : {0.0, 0.2}) {
    Grid grid = centeredGrid(40, 2);
    const double c = 2 * std::cos(angle), s = 2 * std::sin(angle);
    grid.worldFromVoxel.m = {{{-c, -s, 0}, {s, -c, 0}, {0, 0, 2}}};
    grid.worldFromVoxel.t = {};
    grid.worldFromVoxel.t = -grid.center();
    auto layer = volumeLayer(grid, [&](const Vec3<double>& p) {
      const bool octant = p.x > 5 && p.y > 5 && p.z > 5;
      return norm(p) >= 30 ? 0.0 : octant ? 1.0 : 0.5;
    });
    layer.display.rendered = true;
    layer.display.colormap = "heat";
    const auto yellow = [&](bool cutOpen, double corner) {
      layer.display.cut = cutOpen ? Cut::octant : Cut::nothing;
      scene.setLayers({layer});
      look.crosshair = {corner, corner, corner};
      scene.look(look);
      scene.setPose({{120, 120, 100}, {}, {0, 0, 1}});
      while (scene.render()) {
      }
      keep(std::string("body_") + (cutOpen ? "cut_" : "whole_") + std::to_string(int(corner)));
      return count(0, 0, 200, 200,
                   [](const auto& p) { return p.r > 60 && p.g > 0.75 * p.r && p.b < 0.5 * p.r; });
    };
    const int whole = yellow(false, 0), cut = yellow(true, 0);
    EXPECT_GT(whole, 400) << angle;
    EXPECT_LT(cut, whole / 10) << angle;
    EXPECT_GT(yellow(true, 10), 400) << "what lies before the crosshair is left";
  }
}

TEST_F(VolumeRenderingDrawing, LosesTheHalfBeforeAPlaneThroughTheCrosshair) {
  // Seen from the front, the coronal plane halfway to the back shows a smaller disk than the whole ball.
  const auto disk = [&](Cut cut, const SliceTurn& turn = {}) {
    look.turn = turn;
    look.crosshair = {0, -20, 0};
    draw(ball(cut), 'A');
    keep("body_half_" + std::to_string(int(cut)));
    return count(0, 0, 200, 200, isBody);
  };
  const int whole = disk(Cut::nothing), coronal = disk(Cut::coronal);
  const double share = (30.0 * 30 - 20 * 20) / (30 * 30);  // of the disk's area
  EXPECT_NEAR(double(coronal) / whole, share, 0.1);
  EXPECT_EQ(disk(Cut::facing), coronal) << "the same plane from here";
  EXPECT_NEAR(double(disk(Cut::axial)) / whole, 0.5, 0.06) << "the upper or the lower half";
}

}  // namespace
}  // namespace sulcus::ui::scene
