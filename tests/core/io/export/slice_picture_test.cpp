#include "core/io/export/slice_picture.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

Layer imageOf(const Grid& grid, const Vec3<int>& bright) {
  Series<float> series(grid, 1, 0.f);
  series.at(grid.index(bright.x, bright.y, bright.z), 0) = 100;
  Layer layer;
  layer.name = "scan";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(series))};
  return layer;
}

/// Columns and rows of the white pixels.
std::vector<std::pair<int, int>> whiteIn(const Picture& picture) {
  std::vector<std::pair<int, int>> found;
  for (int i = 0; i < picture.width * picture.height; ++i)
    if (picture.rgb[std::size_t(3 * i)] == 255) found.emplace_back(i % picture.width, i / picture.width);
  return found;
}

TEST(SlicePicture, HasTheFrontAboveAndTheLeftAtTheRight) {
  Grid grid;
  grid.size = {4, 8, 3};
  const Picture picture = slicePicture(imageOf(grid, {0, 7, 1}), 8);  // left, front
  EXPECT_EQ(picture.width, 4);
  EXPECT_EQ(picture.height, 8);
  EXPECT_EQ(whiteIn(picture), (std::vector<std::pair<int, int>>{{3, 0}}));
  // The same position in a file whose axes are reversed.
  grid.worldFromVoxel.m = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
  EXPECT_EQ(whiteIn(slicePicture(imageOf(grid, {3, 0, 1}), 8)), (std::vector<std::pair<int, int>>{{3, 0}}));
}

TEST(SlicePicture, HasVoxelsOfTheirShape) {
  Grid grid;
  grid.size = {10, 10, 1};
  grid.worldFromVoxel.m[1][1] = 3;
  const Picture picture = slicePicture(imageOf(grid, {0, 0, 0}), 60);
  EXPECT_EQ(picture.width, 20);
  EXPECT_EQ(picture.height, 60);
  EXPECT_EQ(picture.rgb.size(), 3u * 20 * 60);
}

TEST(SlicePicture, IsOfImagesOnly) {
  Layer table;
  table.name = "table", table.content = TableLayer{{"a"}, {{"1"}}};
  expectError([&] { slicePicture(table, 10); }, {"'table' has no slice", "choose an image"});
}

}  // namespace
}  // namespace sulcus::io
