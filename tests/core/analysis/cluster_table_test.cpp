#include "core/analysis/cluster_table.h"

#include "core/image/table_places.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus {
namespace {

using testing::HasSubstr;

LayerPtr map(std::vector<float> values) {
  Grid grid;
  grid.size = {int(values.size()), 1, 1};
  grid.worldFromVoxel.t = {-0.04, 2, 3};
  auto series = std::make_shared<Series<float>>(grid, 1);
  series->values = std::move(values);
  Layer layer;
  layer.name = "t visual";
  layer.content = VolumeLayer{series, {}, 0, {}};
  return std::make_shared<const Layer>(layer);
}

ClusterRequest requestFor(const LayerPtr& layer) {
  ClusterRequest request;
  request.map = layer;
  request.shown.hideBelow = 2;
  return request;
}

TEST(ClusterTable, HasARowForEachPeakWithTheLabelThere) {
  ClusterRequest request = requestFor(map({0, 3, 2, 0, 5}));
  Grid coarse;  // of the atlas: one voxel covers two of the map
  coarse.size = {3, 1, 1};
  coarse.worldFromVoxel.m[0][0] = 2;
  coarse.worldFromVoxel.t = {0.5, 2, 3};
  auto labels = std::make_shared<Volume<Label>>(coarse);
  labels->values = {17, 0, 4};
  auto names = std::make_shared<LabelTable>();
  (*names)[17].name = "Hippocampus";
  Layer atlas;
  atlas.content = LabelsLayer{labels, names};
  request.labels = std::make_shared<const Layer>(atlas);
  const Layer layer = clusterLayer(request);
  const auto& table = std::get<TableLayer>(layer.content);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"1", "2", "2.0", "3", "1.0", "2.0", "3.0",
                                                     "17 Hippocampus", "1.5", "2.0", "3.0"}));
  EXPECT_EQ(table.columns[7], "label");
  EXPECT_EQ(table.rows[1][7], "4");
  EXPECT_EQ(table.columns.size(), table.rows[0].size());
  EXPECT_EQ(placeOfRow(table, 1), (Vec3<double>{4, 2, 3}));
}

TEST(ClusterTable, SaysWhatItIsOfAndHowItIsMadeAgain) {
  ClusterRequest request = requestFor(map({3, 0, -3}));
  request.shown.hideAbove = -2.5;
  const Layer layer = clusterLayer(request);
  EXPECT_EQ(layer.name, "clusters of t visual");
  EXPECT_THAT(layer.notes.at(0), HasSubstr("2 clusters of values below -2.5 or above 2, 26-connectivity."));
  EXPECT_EQ(layer.provenance->commandLine,
            "sulcus-cli clusters 't visual.nii.gz' --above 2 --below -2.5 --connectivity 26 --least-volume 0 "
            "--peak-distance 8 --peaks 3");
}

TEST(ClusterTable, TakesBothSignsByTheirSizeWhereNegativesHaveColorsOfTheirOwn) {
  ClusterRequest request = requestFor(map({3, 0, -3}));
  request.shown.negativeColormap = "blue-lightblue";
  const Layer layer = clusterLayer(request);
  EXPECT_THAT(layer.notes.at(0), HasSubstr("2 clusters of values of a size above 2, 26-connectivity."));
  EXPECT_THAT(layer.provenance->commandLine, testing::EndsWith(" --two-sided"));
}

TEST(ClusterTable, RefusesAMapWithoutAThreshold) {
  ClusterRequest request = requestFor(map({3}));
  request.shown.hideBelow.reset();
  test::expectError([&] { clusterLayer(request); }, {"has no threshold"});
}

}  // namespace
}  // namespace sulcus
