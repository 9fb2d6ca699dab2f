#include "ui/scene/volume3d/clipping.h"

#include <gtest/gtest.h>

namespace sulcus::ui::scene {
namespace {

TEST(CutPlaneTest, FacesTheEye) {
  const Vec3<double> at{1, 2, 3}, above{1, 2, 50}, below{1, 2, -50}, down{0, 0, -1};
  EXPECT_EQ(cutPlane(Cut::axial, at, {}, above, down)->normal, (Vec3<double>{0, 0, 1}));
  EXPECT_EQ(cutPlane(Cut::axial, at, {}, below, -down)->normal, (Vec3<double>{0, 0, -1}));
  EXPECT_EQ(cutPlane(Cut::axial, at, {}, above, down)->point, at);
  EXPECT_EQ(cutPlane(Cut::facing, at, {}, above, down)->normal, (Vec3<double>{0, 0, 1}));
  EXPECT_FALSE(cutPlane(Cut::nothing, at, {}, above, down));
  EXPECT_FALSE(cutPlane(Cut::octant, at, {}, above, down));
}

TEST(CutPlaneTest, LiesAlongTheSlices) {
  EXPECT_EQ(cutAxis(Cut::sagittal), 0);
  EXPECT_EQ(cutAxis(Cut::coronal), 1);
  EXPECT_EQ(cutAxis(Cut::axial), 2);
  EXPECT_FALSE(cutAxis(Cut::facing));
  const SliceTurn turn = turnedAbout({}, {0, 0, 1}, 0.3);
  EXPECT_EQ(cutPlane(Cut::coronal, {}, turn, {0, 50, 0}, {0, -1, 0})->normal, turn.axes[1]) << "oblique ones";
}

}  // namespace
}  // namespace sulcus::ui::scene
