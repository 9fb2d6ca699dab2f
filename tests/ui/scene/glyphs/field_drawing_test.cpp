// The display of displacement fields and of image overlays.
#include "tests/ui/scene/glyphs/fields.h"
#include "tests/ui/scene/off_screen.h"
#include "ui/scene/common/words.h"
#include "ui/scene/slices/slice_scene.h"
#include "ui/scene/volume3d/scene_3d.h"

#include <cmath>

#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

class FieldDrawing : public Drawing {
 protected:
  void draw(const std::vector<SceneLayer>& layers) {
    if (!scene) scene = std::make_unique<SliceScene>(window);
    scene->setStyles({.fields = style});
    scene->setLayers(layers);
    scene->look(look);
    scene->render();
  }
  /// 41³ voxels of 2 mm.
  template <class Formula>
  static SceneLayer field(Formula&& formula) {
    SceneLayer shown{7, fieldLayer(centeredGrid(41, 2), formula), {}, 0};
    shown.display.range = Range{0, 10};
    shown.display.colormap = "yellow-red";
    return shown;
  }

  std::unique_ptr<SliceScene> scene;
  FieldStyle style;
  SliceLook look{.normal = 2, .extent = 100, .crosshairVisible = false, .lettersVisible = false};
};

const auto isLit = [](const auto& pixel) { return pixel.sum() > 150; };

TEST_F(FieldDrawing, MovesTheLinesOfAShiftToThePatientsRightToTheLeftOfARadiologicalScreen) {
  const auto right = field([](auto) { return Vec3<float>{6, 0, 0}; });
  style.every = 20;  // lines at −40, 0 and 40 mm; 2 pixels a mm
  draw({right});
  keep("grid-radiological");
  EXPECT_GT(count(86, 120, 91, 121, isLit), 0) << "the middle line, 6 mm to the right of the patient";
  EXPECT_GT(count(166, 120, 171, 121, isLit), 0) << "the patient's left";
  EXPECT_EQ(count(92, 120, 165, 121, isLit), 0);
  EXPECT_EQ(count(0, 120, 85, 121, isLit), 0) << "the line that has left the image is gone";
  look.radiological = false;
  draw({right});
  EXPECT_GT(count(110, 120, 115, 121, isLit), 0);
  EXPECT_EQ(count(116, 120, 200, 121, isLit), 0);
}

TEST_F(FieldDrawing, MovesTheLinesToTheFrontUpInAxialAndToTheLeftInSagittalPlanes) {
  style.every = 20;
  const auto front = field([](auto) { return Vec3<float>{0, 6, 0}; });
  draw({front});
  EXPECT_GT(count(120, 110, 121, 115, isLit), 0);
  EXPECT_EQ(count(120, 95, 121, 108, isLit), 0);
  look.normal = 0;
  draw({front});
  EXPECT_GT(count(85, 120, 91, 121, isLit), 0);
  EXPECT_EQ(count(95, 120, 108, 121, isLit), 0);
}

TEST_F(FieldDrawing, PointsAnArrowWhereTheFieldLeads) {
  look.keys = false;
  style.shape = FieldStyle::Shape::arrows;
  style.every = 30;  // one at the center of the plane, and corners 60 mm away
  draw({field([](const Vec3<double>& p) { return Vec3<float>{norm(p) < 15 ? 20.f : 0.f, 0, 0}; })});
  keep("arrow");
  style.every = 40;
  const auto middle = field([](const Vec3<double>& p) { return Vec3<float>{float(20 + 0 * p.x), 0, 0}; });
  look.center = look.crosshair = {-40, 40, 0};  // the corner voxel with an arrow
  draw({middle});
  keep("arrow-corner");
  EXPECT_GT(count(64, 96, 100, 105, isLit), 60) << "20 mm to the patient's right: 40 pixels to the left";
  EXPECT_EQ(count(106, 0, 200, 200, isLit), 0);
  EXPECT_EQ(count(0, 0, 57, 200, isLit), 0);
  const int nearTip = count(66, 80, 70, 120, isLit), nearFoot = count(92, 80, 96, 120, isLit);
  EXPECT_GT(nearTip, 2 * nearFoot) << "the head is at the tip";
}

TEST_F(FieldDrawing, ColorsByLengthDirectionOrPlain) {
  style.every = 20;
  const auto shift = field([](auto) { return Vec3<float>{0, 0, 10}; });  // out of the plane
  const auto isRed = [](const auto& p) { return p.r > 150 && p.g < 40 && p.b < 60; };
  const auto isBlue = [](const auto& p) { return p.b > 200 && p.r < 40 && p.g < 40; };
  const auto isAmber = [](const auto& p) { return p.r > 200 && p.g > 160 && p.b < 110; };
  draw({shift});
  EXPECT_GT(count(0, 0, 200, 200, isRed), 100) << "the end of the range";
  style.color = FieldStyle::Color::direction;
  draw({shift});
  EXPECT_GT(count(0, 0, 200, 200, isBlue), 100);
  style.color = FieldStyle::Color::plain;
  draw({shift});
  EXPECT_GT(count(0, 0, 200, 200, isAmber), 100);
}

TEST_F(FieldDrawing, ShowsTheMagnitudeInMillimeters) {
  style.shape = FieldStyle::Shape::magnitude;
  auto halves = field([](const Vec3<double>& p) { return Vec3<float>{0, p.x < 0 ? 3.f : 0.f, 4}; });
  halves.display.colormap = "gray";
  draw({halves});
  keep("magnitude");
  EXPECT_NEAR(at(150, 100).r, 127, 3) << "5 of 10 mm, patient's left";
  EXPECT_NEAR(at(50, 100).r, 102, 3);
  EXPECT_EQ(at(190, 100).sum(), 0) << "outside of the field";
  halves.display.hideBelow = 4.5;
  draw({halves});
  EXPECT_EQ(at(50, 100).sum(), 0);
  EXPECT_NEAR(at(150, 100).r, 127, 3);
}

TEST_F(FieldDrawing, HasABarWhereColorsAreLengths) {
  auto shift = field([](auto) { return Vec3<float>{500, 0, 0}; });  // no line remains
  shift.display.colorBar = true;
  draw({shift});
  keep("field-bar");
  const auto isRed = [](const auto& p) { return p.r > 130 && p.g < 40 && p.b < 60; };
  EXPECT_GT(count(100, 100, 200, 160, isRed), 30);
  style.color = FieldStyle::Color::plain;
  draw({shift});
  EXPECT_EQ(count(0, 0, 200, 200, isRed), 0);
}

TEST_F(FieldDrawing, SaysThatTheAffinePartIsNotShown) {
  style.withoutAffine = true;
  draw({field([](auto) { return Vec3<float>{6, 0, 0}; })});
  EXPECT_EQ(scene->glyphNote(), "without affine part");

  translateBy([](const char* text) {
    return text == std::string("without affine part") ? "ohne" : std::string(text);
  });
  draw({field([](auto) { return Vec3<float>{5, 0, 0}; })});
  EXPECT_EQ(scene->glyphNote(), "ohne");
  translateBy(nullptr);
}

TEST_F(FieldDrawing, AlternatesTheTilesOfACheckerboard) {
  const auto black = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 0; }, 1);
  auto white = volumeLayer(
      centeredGrid(50, 2), [](auto) { return 1; }, 2);
  white.tile = 20;  // 40 pixels
  draw({black, white});
  keep("checkerboard");
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) {
      const bool isWhite = at(20 + 40 * i, 20 + 40 * j).sum() > 380;
      EXPECT_EQ(isWhite, (i + j) % 2 == int(at(20, 20).sum() <= 380)) << i << ", " << j;
    }
  EXPECT_NEAR(count(0, 0, 200, 200, isLit), 20000, 1000);
  // Tiles move with the image.
  const Pixel before = at(60, 60);
  look.center = {-20, 0, 0};
  draw({black, white});
  EXPECT_EQ(at(20, 60).sum(), before.sum());
  // Larger tiles, then none.
  white.tile = 100;
  look.center = {};
  draw({black, white});
  EXPECT_EQ(at(20, 20).sum(), at(80, 80).sum());
  EXPECT_NE(at(20, 20).sum(), at(120, 80).sum());
  white.tile = 0;
  draw({black, white});
  EXPECT_GT(count(0, 0, 200, 200, isLit), 39000);
}

TEST_F(FieldDrawing, ShowsTheSameValuesInTilesAsWithout) {
  look.keys = false;
  auto ramp = volumeLayer(
      centeredGrid(25, 4), [](auto p) { return (p.x + p.y + 100) / 200; }, 2);
  draw({ramp});
  std::vector<int> whole;
  for (int i = 0; i < 400; ++i) whole.push_back(at(5 + 10 * (i % 20), 5 + 10 * (i / 20)).r);
  ramp.tile = 1000;
  int seen = 0;
  draw({ramp});
  for (int i = 0; i < 400; ++i) {
    const int value = at(5 + 10 * (i % 20), 5 + 10 * (i / 20)).r;
    if (value == 0) continue;
    ++seen;
    EXPECT_NEAR(value, whole[std::size_t(i)], 2) << i;
  }
  EXPECT_NEAR(seen, 200, 12);
}

TEST_F(FieldDrawing, PaintsFoldsRedWhenTheyAskForIt) {
  const Grid grid = centeredGrid(41, 2);
  auto folds = std::make_shared<Volume<Label>>(grid);
  for (int i = 18; i < 23; ++i) (*folds)(i, 20, 20) = 1;
  auto layer = std::make_shared<Layer>();
  layer->content = LabelsLayer{folds};
  SceneLayer shown{3, layer, {}, 0};
  shown.display.colormap = "red";
  const auto white = volumeLayer(
      grid, [](auto) { return 0.5; }, 1);
  draw({white, shown});
  keep("folds");
  EXPECT_NEAR(count(0, 0, 200, 200, [](const auto& p) { return p.r > 240 && p.g < 50 && p.b < 50; }), 80, 8);
}

TEST_F(FieldDrawing, ShowsLinesArrowsAndMagnitudeIn3d) {
  Scene3d space(window);
  const auto bump = field([](const Vec3<double>& p) {
    return Vec3<float>{float(8 * std::exp(-dot(p, p) / 400)), 0, 0};
  });
  const auto isYellow = [](const auto& p) { return p.r > 170 && p.g > 150; };
  for (const auto shape :
       {FieldStyle::Shape::grid, FieldStyle::Shape::arrows, FieldStyle::Shape::magnitude}) {
    style.shape = shape;
    space.setStyles({.fields = style});
    space.setLayers({bump});
    space.lookFrom('A');
    space.render();
    keep("space" + std::to_string(int(shape)));
    EXPECT_GT(count(20, 20, 180, 180, isYellow), 150) << int(shape);
  }
}

TEST(FieldActors, ShowSomeOfTooManyAndSaySo) {
  if (!std::getenv("DISPLAY")) GTEST_SKIP() << "no display: run under xvfb-run";
  vtkNew<vtkRenderWindow> window;
  vtkNew<vtkRenderer> renderer;
  const auto still = [](auto) { return Vec3<float>{1, 0, 0}; };
  const std::vector<CutPlane> planes{{{}, {0, 0, 1}}};
  Grid wide = centeredGrid(4, 1);
  wide.worldFromVoxel.t = {};
  wide.size = {300, 300, 2};  // 90 000 arrows, 180 000 pieces of lines
  const SceneLayer small{1, fieldLayer(centeredGrid(64, 1), still), {}, 0},
      large{2, fieldLayer(wide, still), {}, 0};
  FieldActor actor(renderer, true);
  for (const auto& [shape, note] : {std::pair(FieldStyle::Shape::arrows, "showing 1 in 9 arrows"),
                                    {FieldStyle::Shape::grid, "showing 1 in 5 lines"}}) {
    const FieldStyle style{.shape = shape, .every = 1};
    EXPECT_TRUE(actor.show(small, style, planes));
    EXPECT_FALSE(actor.show(small, style, {{{5, 5, 0}, {0, 0, 1}}})) << "the same plane by another point";
    EXPECT_EQ(fieldNote(actor.oneIn(), style), "");
    EXPECT_TRUE(actor.show(large, style, planes));
    EXPECT_EQ(fieldNote(actor.oneIn(), style), note);
  }
}

}  // namespace
}  // namespace sulcus::ui::scene
