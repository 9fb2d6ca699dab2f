#include "ui/scene/slices/slice_camera.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

TEST(SliceAxes, PutThePatientsRightAtTheLeftOfTheScreenInRadiologicalConvention) {
  for (const int normal : {2, 1}) {
    EXPECT_EQ(lettersOf(sliceAxes(normal, true).right), "L");
    EXPECT_EQ(lettersOf(sliceAxes(normal, false).right), "R");
  }
  EXPECT_EQ(lettersOf(sliceAxes(2, true).up), "A");
  EXPECT_EQ(lettersOf(sliceAxes(1, true).up), "S");
}

TEST(SliceAxes, HaveTheNoseAtTheLeftOfSagittalPlanesEitherWay) {
  for (const bool radiological : {true, false}) {
    EXPECT_EQ(lettersOf(sliceAxes(0, radiological).right), "P");
    EXPECT_EQ(lettersOf(sliceAxes(0, radiological).up), "S");
  }
}

TEST(SliceAxes, LookFromBelowAndFromTheFrontInRadiologicalConvention) {
  EXPECT_EQ(lettersOf(sliceAxes(2, true).towardViewer()), "I");
  EXPECT_EQ(lettersOf(sliceAxes(2, false).towardViewer()), "S");
  EXPECT_EQ(lettersOf(sliceAxes(1, true).towardViewer()), "A");
}

TEST(Letters, NameAllSidesThatADirectionPointsToTheNearestFirst) {
  EXPECT_EQ(lettersOf({1, 0, 0}), "R");
  EXPECT_EQ(lettersOf({0.8, 0.6, 0.1}), "RA");
  EXPECT_EQ(lettersOf({-0.3, -0.8, 0.5}), "PSL");
  EXPECT_EQ(lettersOf({0.1, 0, -0.995}), "I") << "a few degrees are not worth a letter";
}

TEST(SliceAxes, TurnWithThePlanes) {
  const double angle = 30 * std::numbers::pi / 180;
  const SliceTurn turn = turnedAbout({}, {1, 0, 0}, angle);
  const Vec3<double> normal{0, -std::sin(angle), std::cos(angle)};
  EXPECT_NEAR(norm(turn.axes[2] - normal), 0, 1e-15) << "the front goes up";
  EXPECT_EQ(turn.axes[0], (Vec3<double>{1, 0, 0}));
  const ScreenAxes axes = sliceAxes(2, true, turn);
  EXPECT_NEAR(norm(axes.towardViewer() + normal), 0, 1e-15) << "still seen from below";
  EXPECT_EQ(lettersOf(axes.right), "L");
  EXPECT_EQ(lettersOf(axes.up), "AS");
}

TEST(SliceCamera, FitsItsExtentToTheShorterSide) {
  const SliceCamera camera{sliceAxes(2, false), {}, {}, 120, 600, 300};
  EXPECT_DOUBLE_EQ(camera.millimetersPerPixel(), 0.4);
  const Vec3<double> corner = camera.worldAt(600, 300);
  EXPECT_DOUBLE_EQ(corner.x, 120);
  EXPECT_DOUBLE_EQ(corner.y, 60);
}

TEST(SliceCamera, FindsThePixelOfAPlaceAndBack) {
  const SliceCamera camera{sliceAxes(1, true), {10, 20, 30}, {-5, 7, 2}, 150, 640, 480};
  const Vec3<double> world = camera.worldAt(123, 321);
  EXPECT_DOUBLE_EQ(world.y, 7) << "in the plane of the crosshair";
  const Vec3<double> pixel = camera.pixelOf(world);
  EXPECT_NEAR(pixel.x, 123, 1e-9);
  EXPECT_NEAR(pixel.y, 321, 1e-9);
  EXPECT_NEAR(pixel.z, 0, 1e-9);
  EXPECT_LT(camera.pixelOf({0, 7, 0}).x, camera.pixelOf({-1, 7, 0}).x)
      << "the patient's left is at the right";
}

}  // namespace
}  // namespace sulcus::ui::scene
