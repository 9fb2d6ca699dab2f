#include "ui/model/views/typed_position.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(PlaceTest, ReadsThreeNumbersInAnyUsualWriting) {
  const Vec3<double> wanted{12, -3.5, 40};
  for (const char* text :
       {"12 -3.5 40", "12, -3.5, 40", "12,-3.5,40", "12; -3,5; 40", "12 -3,5 40", "  12  -3.5 40 mm",
        "x=12 y=-3.5 z=40", "[12.0, -3.5, 40.0]", "(12 -3.5 40)", "x: 12, y: -3.5, z: 40",
        "12 \xE2\x88\x92"
        "3.5 40"})
    EXPECT_EQ(positionFrom(QString::fromUtf8(text)), wanted) << text;
}

TEST(PlaceTest, ReadsWhatTheStatusBarWrites) {
  EXPECT_EQ(positionFrom("R 12.0  P 3.5  S 40.2 mm"), (Vec3<double>{12, -3.5, 40.2}));
  EXPECT_EQ(positionFrom("l 12 a 3.5 i 40"), (Vec3<double>{-12, 3.5, -40}));
  EXPECT_EQ(positionFrom("S40 R12 P3"), (Vec3<double>{12, -3, 40})) << "in any order";
}

TEST(PlaceTest, RefusesInvalidPlaces) {
  for (const char* text : {"", "12 3", "1 2 3 4", "a b c", "R 1 L 2 S 3", "R 1 A 2", "1e300 0 0", "nan 1 2"})
    EXPECT_FALSE(positionFrom(QLatin1String(text))) << text;
}

TEST(PlaceTest, ReadsAVoxelOfAGrid) {
  const Grid grid{{10, 20, 30}, {}};
  EXPECT_EQ(voxelFrom("9 0 29", grid), (Vec3<int>{9, 0, 29}));
  EXPECT_EQ(voxelFrom("voxel 1, 2, 3", grid), (Vec3<int>{1, 2, 3}));
  for (const char* text : {"10 0 0", "-1 0 0", "1.5 2 3", "1 2"})
    EXPECT_FALSE(voxelFrom(QLatin1String(text), grid)) << text;
}

TEST(PlaceTest, NamesAnAtlasOnlyWhereTheFileSaysSo) {
  Grid grid{{2, 2, 2}, {}};
  EXPECT_EQ(atlasOf(grid), "");
  grid.space = Space::aligned;
  EXPECT_EQ(atlasOf(grid), "");
  grid.space = Space::mni;
  EXPECT_EQ(atlasOf(grid), "MNI");
  grid.space = Space::talairach;
  EXPECT_EQ(atlasOf(grid), "Talairach");
}

}  // namespace
}  // namespace sulcus::ui::model
