#include "core/registration/deformation/landmark_table.h"

#include "core/image/table_places.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using testing::ElementsAre;

Layer landmarkTable(std::vector<std::string> columns, std::vector<std::vector<std::string>> rows) {
  Layer layer;
  layer.name = "points";
  layer.content = TableLayer{std::move(columns), std::move(rows)};
  return layer;
}

const std::vector<std::string> kSix{"a", "b", "c", "d", "e", "f"};

TEST(LandmarkTable, IsReadWithNamesAndWithout) {
  const auto plain =
      landmarksIn(landmarkTable(kSix, {{"1", "2", "3", "4", "5", "6e1"}, {"0", "0", "0", "0", "0", "0"}}));
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_EQ(plain[0].ofTemplate, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(plain[0].ofReference, (Vec3<double>{4, 5, 60}));
  EXPECT_EQ(plain[1].name, "2");
  const auto named = landmarksIn(
      landmarkTable({"name", "a", "b", "c", "d", "e", "f"}, {{"AC", "1", "2", "3", "4", "5", "6"}}));
  EXPECT_EQ(named[0].name, "AC");
  EXPECT_EQ(named[0].ofReference, (Vec3<double>{4, 5, 6}));
}

TEST(LandmarkTable, WithoutNamesOfColumnsKeepsItsFirstRow) {
  const auto landmarks = landmarksIn(
      landmarkTable({"AC", "1", "2", "3", "4", "5", "6"}, {{"PC", "1", "2", "3", "4", "5", "7"}}));
  ASSERT_EQ(landmarks.size(), 2u);
  EXPECT_EQ(landmarks[0].name, "AC");
  EXPECT_EQ(landmarks[1].ofReference.z, 7);
}

TEST(LandmarkTable, IsRefusedWithASentence) {
  const auto expect = [](const Layer& layer, const std::string& why) {
    test::expectError([&] { (void)landmarksIn(layer); },
                      {"'points' cannot be used as landmarks", why, "RAS+"}, ErrorKind::badInput);
  };
  expect(landmarkTable({"a", "b", "c"}, {{"1", "2", "3"}}), "it has 3 columns, not 6 or 7");
  expect(landmarkTable(kSix, {{"1", "2", "3", "4", "5", "n/a"}}),
         "row 1 holds 'n/a', which is not a finite number");
  expect(landmarkTable(kSix, {{"1", "2", "3", "4", "5", "6"}, {"1", "2", "inf", "4", "5", "6"}}),
         "row 2 holds 'inf'");
  Layer volume = landmarkTable({}, {});
  volume.content = VolumeLayer{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 1), {}, 0, {}};
  expect(volume, "it holds");
}

TEST(LandmarkTable, SaysHowFarEachIs) {
  Series<float> displacement(Grid{{4, 4, 4}, {}}, 3);
  for (int x = 0; x < 4; ++x) displacement.at(displacement.grid.index(x, 1, 1), 0) = float(x);
  Affine shift;
  shift.t = {0, 0, 3};
  Series<float> inverse(Grid{{6, 4, 4}, {}}, 3);
  inverse.at(inverse.grid.index(4, 1, 1), 0) = -2;
  const auto distances = landmarkDistances({{"p", {4, 1, 1}, {1.5, 1, 1}}, {"q", {0, 0, 0}, {0, 0, 0}}},
                                           shift, displacement, inverse);
  ASSERT_EQ(distances.size(), 2u);
  EXPECT_NEAR(distances[0].before, 2.5, 1e-12);
  EXPECT_NEAR(distances[0].linearlyAligned, std::sqrt(2.5 * 2.5 + 9), 1e-12);
  EXPECT_NEAR(distances[0].deformed, 1, 1e-6);
  const auto spread = spreadOf(distances, &LandmarkDistance::before);
  EXPECT_NEAR(spread.mean, 1.25, 1e-12);
  EXPECT_NEAR(spread.largest, 2.5, 1e-12);
  EXPECT_THAT(landmarkTable(distances).rows[0],
              ElementsAre("p", "2.5", "3.90512", "1", "2", "1", "1", "1.5", "1", "1"));
}

TEST(LandmarkTable, IsDrawnWithItsPlacesInBothImages) {
  Layer layer;
  layer.content = landmarkTable(std::vector<Landmark>{{"AC", {1, 2, 3}, {4, 5, 6.5}}});
  EXPECT_TRUE(isLandmarks(layer));
  const auto& table = std::get<TableLayer>(layer.content);
  EXPECT_THAT(table.columns, ElementsAre("landmark", "template_x_mm", "template_y_mm", "template_z_mm",
                                         "reference_x_mm", "reference_y_mm", "reference_z_mm"));
  EXPECT_THAT(table.rows[0], ElementsAre("AC", "1", "2", "3", "4", "5", "6.5"));
  layer.content = landmarkTable(std::vector<LandmarkDistance>{});
  EXPECT_TRUE(isLandmarks(layer));
}

}  // namespace
}  // namespace sulcus::registration
