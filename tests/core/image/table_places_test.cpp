#include "core/image/table_places.h"

#include <gmock/gmock.h>

namespace sulcus {
namespace {

TableLayer landmarks() {
  return {{"landmark", "moved_x_mm", "moved_y_mm", "moved_z_mm", "mm", "x_mm", "y_mm", "z_mm"},
          {{"AC", "1", "2", "3", "0", "4", "5", "6"}, {"PC", "1", "2", "n/a", "0", "4", "5", "6e1"}}};
}

Layer layerOf(TableLayer table) {
  Layer layer;
  layer.content = std::move(table);
  return layer;
}

TEST(TablePlaces, AreThreeColumnsOfOneBeginning) {
  const TableLayer table = landmarks();
  const auto columns = placeColumns(table);
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[0].name, "moved");
  EXPECT_EQ(columns[1].name, "");
  EXPECT_EQ(placeIn(table, 0, columns[0]), (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(placeIn(table, 1, columns[1]), (Vec3<double>{4, 5, 60}));
  EXPECT_FALSE(placeIn(table, 1, columns[0])) << "no number";
  EXPECT_FALSE(placeIn(table, 2, columns[0])) << "no row";
  EXPECT_THAT(placeColumns({{"a_x_mm", "b_y_mm", "a_z_mm", "x_mm", "y_mm"}, {}}), testing::IsEmpty());
}

TEST(TablePlaces, LeadToTheFirstOfARow) {
  EXPECT_EQ(placeOfRow(landmarks(), 0), (Vec3<double>{1, 2, 3}));
  EXPECT_FALSE(placeOfRow({{"x_mm", "y_mm"}, {{"1", "2"}}}, 0));
  EXPECT_FALSE(placeOfRow({{"x_mm", "y_mm", "z_mm"}, {{"1", "2", "n/a"}}}, 0));
  EXPECT_FALSE(placeOfRow({{"x_mm", "y_mm", "z_mm"}, {{"1", "2"}}}, 0)) << "a short row";
}

TEST(TablePlaces, OfLandmarksAreDrawn) {
  EXPECT_TRUE(isLandmarks(layerOf(landmarks())));
  EXPECT_FALSE(isLandmarks(layerOf({{"cluster", "x_mm", "y_mm", "z_mm"}, {}})));
  EXPECT_FALSE(isLandmarks(layerOf({{"landmark", "before_mm"}, {}})));
  EXPECT_FALSE(isLandmarks(layerOf({{}, {}})));
  EXPECT_TRUE(isDrawn(layerOf(landmarks())));
  EXPECT_FALSE(isDrawn(layerOf({{"cluster", "x_mm", "y_mm", "z_mm"}, {}})));
}

}  // namespace
}  // namespace sulcus
