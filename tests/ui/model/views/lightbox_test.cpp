#include "ui/model/views/lightbox.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

/// 10 × 12 × 20 voxels of 2 × 2 × 3 mm, x to the patient's left; 100 where `inside`, 1 elsewhere.
template <class Inside>
Layer scan(Inside&& inside) {
  Grid grid;
  grid.size = {10, 12, 20};
  grid.worldFromVoxel.m = {{{-2, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
  grid.worldFromVoxel.t = {9, -11, -30};
  auto series = std::make_shared<Series<float>>(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) series->at(i, 0) = inside(grid.voxel(i)) ? 100 : 1;
  Layer layer;
  layer.content = VolumeLayer{series, {}, 0, {}};
  return layer;
}

TEST(LightboxTest, LeavesOutSlicesWithoutContent) {
  const Layer head = scan([](Vec3<int> v) { return v.x > 1 && v.y < 9 && v.z >= 4 && v.z < 16; });
  EXPECT_EQ(slicesWithContent(head, Plane::axial), (SliceRange{4, 15}));
  EXPECT_EQ(slicesWithContent(head, Plane::coronal), (SliceRange{0, 8}));
  EXPECT_EQ(slicesWithContent(head, Plane::sagittal), (SliceRange{2, 9}));
  EXPECT_EQ(slicesWithContent(scan([](Vec3<int>) { return true; }), Plane::axial), (SliceRange{0, 19}));
}

TEST(LightboxTest, TakesEveryLabelAndAllOfWhatHasNoValues) {
  auto labels = std::make_shared<Volume<Label>>(Grid{{4, 5, 6}, {}});
  (*labels)(1, 2, 3) = 7;
  (*labels)(1, 2, 4) = 8;
  Layer layer;
  layer.content = LabelsLayer{labels};
  EXPECT_EQ(slicesWithContent(layer, Plane::axial), (SliceRange{3, 4}));
  layer.content = PeaksLayer{std::make_shared<Series<float>>(Grid{{4, 5, 6}, {}}, 3), nullptr};
  EXPECT_EQ(slicesWithContent(layer, Plane::coronal), (SliceRange{0, 4}));
}

TEST(LightboxTest, SpreadsTheSlicesEvenlyAndEachLiesInTheMiddleOfOneOfTheImage) {
  const Layer head = scan([](Vec3<int>) { return true; });
  EXPECT_EQ(lightboxPlaces(head, Plane::axial, {0, 19}, 4), (std::vector<double>{-24, -9, 6, 21}));
  EXPECT_EQ(lightboxPlaces(head, Plane::axial, {0, 19}, 4, 1), (std::vector<double>{-21, -6, 9, 24}));
  // From the patient's left to right, whatever the order in the file.
  EXPECT_EQ(lightboxPlaces(head, Plane::sagittal, {0, 9}, 2), (std::vector<double>{-5, 5}));
}

TEST(LightboxTest, ShowsNoSliceTwiceAndNoneOutside) {
  const Layer head = scan([](Vec3<int>) { return true; });
  EXPECT_EQ(lightboxPlaces(head, Plane::axial, {3, 5}, 24), (std::vector<double>{-21, -18, -15}));
  EXPECT_EQ(lightboxPlaces(head, Plane::axial, {17, 19}, 24, 2), (std::vector<double>{27}));
  EXPECT_TRUE(lightboxPlaces(head, Plane::axial, {0, 19}, 4, 100).empty());
  Layer table;
  table.content = TableLayer();
  EXPECT_TRUE(lightboxPlaces(table, Plane::axial, {}, 4).empty());
}

TEST(LightboxTest, MakesFewSlicesAsLargeAsTheyCanBe) {
  const LightboxLook look{Plane::axial, 6, 4};
  EXPECT_EQ(fitted(look, 24, 1200, 800), look);
  EXPECT_EQ(fitted(look, 5, 1200, 800), (LightboxLook{Plane::axial, 3, 2}));
  EXPECT_EQ(fitted(look, 5, 2000, 300), (LightboxLook{Plane::axial, 5, 1}));
  EXPECT_EQ(fitted(look, 1, 1200, 800), (LightboxLook{Plane::axial, 1, 1}));
  EXPECT_EQ(fitted(look, 0, 1200, 800), look);
}

}  // namespace
}  // namespace sulcus::ui::model
