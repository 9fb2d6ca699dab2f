#include "core/analysis/image_agreement.h"

#include "core/image/table_places.h"
#include "tests/support/expect_error.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus {
namespace {

using testing::HasSubstr;

Layer image(std::string name, std::vector<float> values, double x = 0) {
  Grid grid;
  grid.size = {int(values.size()), 1, 1};
  grid.worldFromVoxel.t = {x, 2, 3};
  auto series = std::make_shared<Series<float>>(grid, 1);
  series->values = std::move(values);
  Layer layer;
  layer.name = std::move(name);
  layer.content = VolumeLayer{series, {}, 0, {}};
  return layer;
}

TEST(ImageAgreement, ReportsFiguresOfAllAndTheVoxelsThatDifferMost) {
  const Layer a = image("a", {1, 2, 3, 4, NAN}), b = image("b", {1, 2, 5, 3, 7});
  const Layer layer = imageAgreement(a, 0, b, 0, {});
  EXPECT_EQ(layer.name, "agreement of a and b");
  const auto& table = std::get<TableLayer>(layer.content);
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.columns, (std::vector<std::string>{"difference", "a", "b", "x_mm", "y_mm", "z_mm"}));
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"-2", "3", "5", "2.0", "2.0", "3.0"}));
  EXPECT_EQ(table.rows[1][0], "1");
  EXPECT_EQ(placeOfRow(table, 0), (Vec3<double>{2, 2, 3}));
  EXPECT_THAT(layer.notes.at(0), HasSubstr("4 voxels compared"));
  EXPECT_THAT(layer.notes.at(0), HasSubstr("mean difference -0.25."));
  // By hand: the deviations of a are -1.5 -0.5 0.5 1.5, those of b -1.75 -0.75 2.25 0.25.
  EXPECT_THAT(layer.notes.at(0), HasSubstr("correlation 0.6803"));
  EXPECT_THAT(layer.notes.at(1), HasSubstr("mean 0.75"));
  EXPECT_THAT(layer.notes.at(1), HasSubstr("at most 2; none in 50 % of the voxels"));
}

TEST(ImageAgreement, ComparesOnTheGridOfTheSecond) {
  const Layer layer = imageAgreement(image("a", {0, 2, 4}), 0, image("b", {1, 1, 1}, 0.5), 0, {});
  const auto& table = std::get<TableLayer>(layer.content);
  EXPECT_EQ(table.rows[0][1], "4") << "beyond the last voxel by half a voxel";
  EXPECT_EQ(table.rows[1][1], "3");
}

TEST(ImageAgreement, IsRefusedIfTheyDoNotOverlap) {
  test::expectError(
      [] {
        imageAgreement(image("a", {1, 2}), 0, image("b", {1, 2}, 50), 0, {});
      },
      {"'a' and 'b'", "no voxel"});
}

}  // namespace
}  // namespace sulcus
