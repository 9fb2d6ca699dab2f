#include "core/image/display/layer_kinds.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"

#include <functional>
#include <memory>

#include <gmock/gmock.h>

namespace sulcus {
namespace {

using testing::HasSubstr;

Layer series(int volumes) {
  Layer layer;
  layer.name = "scan";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, volumes), {}, 0, {}};
  return layer;
}

Layer mesh() {
  Layer layer;
  layer.name = "shell";
  layer.content = MeshLayer{std::make_shared<const Mesh>()};
  return layer;
}

TEST(LayerKindsTest, ReportsWhatALayerCanBe) {
  const Layer one = series(1), many = series(3), labels = maskLayer("mask", Mask(Grid{{2, 2, 2}, {}}));
  Layer diffusion = series(1);
  std::get<VolumeLayer>(diffusion.content).gradients.rows.resize(1);
  EXPECT_TRUE(isVolume(one) && isMask(one) && isImage(one));
  EXPECT_TRUE(isVolume(many) && !isMask(many) && !isImage(many));
  EXPECT_TRUE(!isVolume(labels) && isMask(labels) && !isImage(labels));
  EXPECT_TRUE(!isVolume(diffusion) && isMask(diffusion) && !isImage(diffusion));
  EXPECT_TRUE(isMesh(mesh()) && !isMask(mesh()) && !isTable(mesh()));
  Layer table;
  table.content = TableLayer{};
  EXPECT_TRUE(isTable(table) && !isVolume(table));
}

TEST(LayerKindsTest, KnowsTissueMapsByNameAndRange) {
  const auto called = [](const char* name, float largest = 1) {
    Layer layer = series(1);
    layer.name = name;
    auto values = std::make_shared<Series<float>>(Grid{{2, 2, 2}, {}}, 1);
    values->values.back() = largest;
    std::get<VolumeLayer>(layer.content).series = values;
    return layer;
  };
  for (const char* name :
       {"white", "sub-01_label-GM_probseg", "fast_pve_0", "swrfM_wht", "c1T1", "wc2sub", "brain_mask"})
    EXPECT_TRUE(isTissueMap(called(name))) << name;
  for (const char* name : {"single_subj_T1", "avg152T1", "masked", "whitened", "subc1"})
    EXPECT_FALSE(isTissueMap(called(name))) << name;
  EXPECT_FALSE(isTissueMap(called("white", 255)));
}

TEST(LayerKindsTest, SaysWhatALayerCannotBeUsedAs) {
  EXPECT_EQ(volumeOf(series(3), "bold").series->count, 3);
  EXPECT_TRUE(meshOf(mesh(), "mesh").points.empty());
  EXPECT_THAT(test::errorOf([] { volumeOf(mesh(), "bold"); }), HasSubstr("'shell' cannot be used as bold"));
  EXPECT_THAT(test::errorOf([] { meshOf(series(1), "mesh"); }), HasSubstr("'scan' cannot be used as mesh"));
}

TEST(LayerKindsTest, NamesTheLayerInItsWarnings) {
  Layer layer = series(1);
  layer.notes = {"Read by the sform.", Note::warning("5 values are no numbers.")};
  EXPECT_THAT(namedWarningsOf(layer), testing::ElementsAre(Note::warning("scan: 5 values are no numbers.")));
}

TEST(LayerKindsTest, WantsATruthOnTheGridOfItsImage) {
  const Grid grid{{2, 2, 2}, {}};
  EXPECT_EQ(test::errorOf([&] { requireTruthOn(grid, grid, "series"); }), "");
  EXPECT_THAT(test::errorOf([&] {
                requireTruthOn(grid, Grid{{3, 2, 2}, {}}, "series");
              }),
              HasSubstr("The truth has a different grid: 3 × 2 × 2"));
}

}  // namespace
}  // namespace sulcus
