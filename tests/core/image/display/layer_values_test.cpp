#include "core/image/display/layer_values.h"

#include "core/base/error.h"
#include "core/image/display/layer_kinds.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>

namespace sulcus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Grid lineOf(int voxels) { return {{voxels, 1, 1}, {}}; }

/// A volume along x.
Layer volume(const std::vector<float>& values, int volumes = 1) {
  Series<float> series(lineOf(int(values.size()) / volumes), volumes);
  series.values = values;
  Layer layer;
  layer.name = "values";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(series)), {}, 0, {}};
  return layer;
}

Layer labels(const std::vector<Label>& values) {
  Volume<Label> volume(lineOf(int(values.size())));
  volume.values = values;
  Layer layer;
  layer.name = "labels";
  layer.content = LabelsLayer{std::make_shared<const Volume<Label>>(std::move(volume))};
  return layer;
}

TEST(LayerValuesTest, TakesTheRangeOfSoundValues) {
  EXPECT_EQ(soundRange(volume({3, -1, kNaN, INFINITY, 2e15F})), (Range{-1, 3}));
  EXPECT_EQ(soundRange(labels({4, 0, -2})), (Range{-2, 4}));
  EXPECT_EQ(soundRange(volume({1, 2, 8, 9}, 2)), (Range{1, 2})) << "the first volume alone";
  EXPECT_TRUE(std::isnan(soundRange(volume({kNaN})).low));
}

TEST(LayerValuesTest, TakesTheFirstVolumeAsNumbers) {
  EXPECT_THAT(firstVolume(volume({1, 2, 8, 9}, 2), "image").values, ElementsAre(1, 2));
  EXPECT_THAT(firstVolume(labels({4, 0}), "image").values, ElementsAre(4, 0));
  Layer table;
  table.name = "table";
  table.content = TableLayer{};
  EXPECT_THAT(test::errorOf([&] { firstVolume(table, "image"); }),
              HasSubstr("'table' cannot be used as image"));
}

TEST(LayerValuesTest, TellsLabelsFromAnImage) {
  EXPECT_TRUE(isLabeled(labels({4, 0})));
  EXPECT_TRUE(isLabeled(volume({0, 1, 0, 7})));
  EXPECT_FALSE(isLabeled(volume({0, 0.5F})));
  EXPECT_FALSE(isLabeled(volume({0, 1, 1, 0}, 2))) << "a series";
  std::vector<float> gray(130);
  std::iota(gray.begin(), gray.end(), 0.F);
  EXPECT_FALSE(isLabeled(volume(gray)));
  gray.resize(129);
  EXPECT_TRUE(isLabeled(volume(gray)));
  std::vector<float> few(1000, 1.F);
  few[3] = 0.5F;  // which a sample misses
  EXPECT_FALSE(isLabeled(volume(few)));
}

TEST(LayerValuesTest, ListsLabels) {
  EXPECT_THAT(labelsOf(labels({7, 0, 3, 7, -1})), ElementsAre(-1, 3, 7));
  EXPECT_THAT(labelsOf(volume({7, 0, 3})), ElementsAre(3, 7));
  EXPECT_THAT(labelsOf(volume({7, 0.5F})), IsEmpty());
  EXPECT_THAT(labelsOf(volume({7, kNaN})), ElementsAre(7)) << "nothing is outside of a map";
  EXPECT_THAT(labelsOf(volume({7, 3e9F})), ElementsAre(7, 3000000000));
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({1, 2, 3}), "1, 2, 3");
  std::vector<Label> many(14);
  std::iota(many.begin(), many.end(), 1);
  EXPECT_EQ(listed(many), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more");
}

TEST(LayerValuesTest, MasksOneLabelOrAll) {
  EXPECT_THAT(maskOfLabel(labels({7, 0, 3}), 3).values, ElementsAre(0, 0, 1));
  EXPECT_THAT(maskOfLabel(volume({7, 0, 3}), 7).values, ElementsAre(1, 0, 0));
  EXPECT_THAT(maskOfLabel(labels({7, 0, 3}), 0).values, ElementsAre(1, 0, 1));
}

TEST(LayerValuesTest, TellsNeighboringLabelsOfAnyNumberApart) {
  const Label mouse = 312782550, large = (Label(1) << 53) + 1;
  EXPECT_THAT(maskOfLabel(labels({mouse, mouse + 4, large, large - 1}), mouse).values,
              ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(maskOfLabel(labels({mouse, mouse + 4, large, large - 1}), large).values,
              ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(labelsOf(labels({large, large - 1, mouse, 0})), ElementsAre(mouse, large - 1, large));
}

TEST(LayerValuesTest, TakesNoLabelsThatWereRounded) {
  Layer layer = volume({312782560, 0});
  EXPECT_THAT(wholeNumbers(layer, "labels")->values, ElementsAre(312782560, 0))
      << "as a file of floats has it";
  layer.notes.push_back(Note::warning(kRoundedNumbers));
  EXPECT_THAT(test::errorOf([&] { wholeNumbers(layer, "labels"); }), HasSubstr("large labels were changed"));
}

TEST(LayerValuesTest, TakesLabelsOfTheRegionsOfAnImage) {
  EXPECT_THAT(labelsOn(labels({7, 0}), "labels", lineOf(2), "template")->values, ElementsAre(7, 0));
  EXPECT_THAT(labelsOn(volume({7, 0}), "labels", lineOf(2), "template")->values, ElementsAre(7, 0));
  const auto complaint = [](const Layer& layer) {
    return test::errorOf([&] { labelsOn(layer, "reference-labels", lineOf(2), "reference"); });
  };
  EXPECT_THAT(complaint(volume({0.5F, 0})), HasSubstr("'values' cannot be used as reference-labels"));
  EXPECT_THAT(complaint(volume({1, 1, 0, 0}, 2)), HasSubstr("labels are integers, one per voxel"));
  EXPECT_THAT(complaint(labels({7, 0, 1})), HasSubstr("'labels' has a different grid than the reference"));
  EXPECT_THAT(complaint(labels({0, 0})), HasSubstr("'labels' holds no label"));
}

}  // namespace
}  // namespace sulcus
