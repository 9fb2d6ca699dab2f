#include "ui/model/layers/layer_plots.h"

#include "tests/ui/fake_analysis.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

TEST(LayerPlotsTest, OffersSeriesAndHistogramsOfImagesTopFirst) {
  LayerStack layers;
  layers.add(shared(volumeLayer("T1")));
  layers.add(shared(volumeLayer("bold", {4, 4, 4}, 1, 3)));
  layers.add(shared(volumeLayer("preview")), Origin::temporary);
  Layer labels;
  labels.content = LabelsLayer{std::make_shared<Volume<Label>>(Grid{{2, 2, 2}, {}})};
  layers.add(shared(labels));
  std::vector<std::string> names;
  for (const Plot& plot : plotsOf(layers.layers())) names.push_back(plot.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Time series of an image: bold", "Histogram of an image: bold",
                                             "Histogram of an image: T1"}));
}

TEST(LayerPlotsTest, OffersScansBeforeMapsOfFewVolumes) {
  LayerStack layers;
  layers.add(shared(volumeLayer("scan", {2, 2, 2}, 1, 12)));
  layers.add(shared(volumeLayer("interval", {2, 2, 2}, 1, 2)));
  EXPECT_EQ(plotsOf(layers.layers()).front().name, "Time series of an image: scan");
}

TEST(LayerPlotsTest, ShowsTheValuesAtTheCrosshairOverTime) {
  LayerStack layers;
  Layer bold = volumeLayer("bold", {4, 4, 4}, 1, 3);
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(bold.content).series);
  const std::int64_t voxel = series->grid.index(1, 2, 3);
  for (int v = 0; v < 3; ++v) series->at(voxel, v) = float(10 * v);
  bold.content = VolumeLayer{series, {}, 2.5, {}};
  const LayerId id = layers.add(shared(bold));
  layers.setVolume(id, 2);
  const Plot plot = plotsOf(layers.layers()).front();
  EXPECT_TRUE(plot.followsCrosshair);
  const Chart chart = plot.make({1.2, 1.9, 3});
  ASSERT_EQ(chart.series.size(), 2u);
  EXPECT_EQ(chart.series[0].x, (std::vector<double>{0, 2.5, 5}));
  EXPECT_EQ(chart.series[0].y, (std::vector<double>{0, 10, 20}));
  EXPECT_EQ(chart.series[1].x, std::vector<double>{5}) << "the shown volume";
  EXPECT_EQ(chart.xLabel, "time (s)");
  EXPECT_EQ(chart.title, "voxel 1, 2, 3");
  EXPECT_TRUE(plot.make({100, 0, 0}).series.empty());
}

TEST(LayerPlotsTest, CountsTheShownVolume) {
  LayerStack layers;
  Layer two = volumeLayer("two", {10, 10, 10}, 0, 2);
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(two.content).series);
  for (std::int64_t i = 0; i < 1000; ++i) series->at(i, 1) = float(100 + i % 5);
  two.content = VolumeLayer{series, {}, 0, {}};
  const LayerId id = layers.add(shared(two));
  layers.setVolume(id, 1);
  const Chart chart = plotsOf(layers.layers())[1].make({});
  ASSERT_EQ(chart.series.size(), 1u);
  EXPECT_GE(chart.series[0].x.front(), 99);
  EXPECT_EQ(chart.title, "two, volume 1");
}

TEST(LayerPlotsTest, LeavesTheZerosOfTheBackgroundOutOfAHistogramAndSaysSo) {
  Layer head = volumeLayer("head", {10, 10, 10});
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(head.content).series);
  for (std::int64_t i = 0; i < 1000; ++i) series->at(i, 0) = i < 750 ? 0.0f : float(100 + i % 5);
  head.content = VolumeLayer{series, {}, 0, {}};
  LayerStack layers;
  layers.add(shared(head));
  const Chart chart = plotsOf(layers.layers())[0].make({});
  ASSERT_EQ(chart.series.size(), 1u);
  EXPECT_GE(chart.series[0].x.front(), 99);
  EXPECT_EQ(chart.title, "head, without zeros (75 %)");
}

TEST(LayerPlotsTest, KeepsTheZerosOfAHistogramWhereThereIsOneOtherValue) {
  Layer mask = volumeLayer("mask", {10, 10, 10});
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(mask.content).series);
  for (std::int64_t i = 0; i < 1000; ++i) series->at(i, 0) = float(i % 2);
  mask.content = VolumeLayer{series, {}, 0, {}};
  LayerStack layers;
  layers.add(shared(mask));
  const Chart chart = plotsOf(layers.layers())[0].make({});
  ASSERT_EQ(chart.series.size(), 1u);
  EXPECT_EQ(chart.title, "mask");
}

TEST(LayerPlotsTest, ShowsVoxelsOverTimeAsACarpet) {
  LayerStack layers;
  Layer bold = volumeLayer("bold", {20, 20, 20}, 0, 12);
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(bold.content).series);
  for (std::int64_t i = 0; i < 4000; ++i)  // the lower half is tissue, which moves after the sixth volume
    for (int v = 0; v < 12; ++v) series->at(i, v) = 100 + float(i % 7) * (v < 6 ? -1.0F : 1.0F);
  bold.content = VolumeLayer{series, {}, 2.5, {}};
  layers.add(shared(bold));
  const Plot plot = plotsOf(layers.layers())[1];
  EXPECT_EQ(plot.name, "Carpet of an image: bold");
  const Chart chart = plot.make({});
  ASSERT_TRUE(chart.matrix);
  EXPECT_EQ(chart.matrix->columns.size(), 12u);
  EXPECT_EQ(chart.matrix->columns[2], "5 s");
  ASSERT_EQ(chart.matrix->rows.size(), 300u) << "of more";
  int moved = 0;
  for (const auto& row : chart.matrix->rows) {
    EXPECT_EQ(row[0], -row[11]);
    moved += row[0] == -1 && row[6] == 1;  // one standard deviation
  }
  EXPECT_NEAR(moved, 300 * 6 / 7, 30) << "all but those that stay as they are";
}

TEST(LayerPlotsTest, ProfilesOfSeveralPeopleLieOverEachOther) {
  const auto profile = [](const std::string& folder, const std::string& first) {
    auto layer = std::make_shared<Layer>(tableLayer(
        "profile",
        {{"place", "x_mm", "y_mm", "z_mm", "fa_mean", "fa_sd"},
         {{"1", "5", "6", "7", first, "0.1"}, {"2", "5", "6", "8", "nan", "nan"}, {"3", "5", "6"}}}));
    layer->source = folder.empty() ? "" : folder + "/profile.tsv";
    return layer;
  };
  LayerStack layers;
  layers.add(profile("/study/sub-01", "0.4"));
  layers.add(std::make_shared<Layer>(tableLayer("other", {{"place", "fa_mean"}, {{"1", "0.5"}}})));
  layers.add(profile("", "0.5"));
  const auto plots = plotsOf(layers.layers());
  ASSERT_EQ(plots.size(), 1u);
  EXPECT_EQ(plots[0].name, "Profiles along bundles: fa");
  const Chart chart = plots[0].make({});
  ASSERT_EQ(chart.series.size(), 4u) << "a band and a line each";
  EXPECT_EQ(chart.series[1].name, "profile 2") << "the topmost first";
  EXPECT_EQ(chart.series[3].name, "sub-01") << "by its folder";
  EXPECT_EQ(chart.series[3].x, std::vector<double>{1}) << "what is no number is left out";
  EXPECT_EQ(chart.series[3].y, std::vector<double>{0.4});
  EXPECT_EQ(chart.series[3].places[0], (Vec3<float>{5, 6, 7}));
  EXPECT_NEAR(chart.series[2].y2[0], 0.5, 1e-12);
  layers.add(profile("/study/sub-02", "0.6"));
  layers.add(profile("/study/sub-03", "0.7"));
  EXPECT_EQ(plotsOf(layers.layers())[0].make({}).series.size(), 4u) << "of many the means alone";
}

}  // namespace
}  // namespace sulcus::ui::model
