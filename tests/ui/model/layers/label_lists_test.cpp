// The lists of labels of layers, and when they are made.
#include "ui/model/layers/label_lists.h"

#include "tests/ui/fake_analysis.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

Layer row(std::vector<Label> labels) {
  Grid grid;
  grid.size = {int(labels.size()), 1, 1};
  auto volume = std::make_shared<Volume<Label>>(grid);
  volume->values = std::move(labels);
  Layer layer;
  layer.name = "row";
  layer.content = LabelsLayer{
      volume, std::make_shared<const LabelTable>(LabelTable{{7, {"seven", {}}}, {9, {"nowhere", {}}}})};
  return layer;
}

struct LabelListsTest : testing::Test {
  QObject here;
  JobQueue quick{jobs::qtPost(&here)};
  LayerStack layers;
  LabelLists lists{layers, quick};
  QSignalSpy listed{&lists, &LabelLists::listed};
};

TEST_F(LabelListsTest, TellWhenTheLabelsOfALayerAreKnown) {
  const LayerId id = layers.add(test::shared(row({7, 0, 7, 7, 2})));
  EXPECT_FALSE(lists.of(*layers.find(id)));
  EXPECT_FALSE(lists.of(*layers.find(id))) << "asked for once";
  ASSERT_TRUE(listed.wait(kWait));
  const auto known = lists.of(*layers.find(id));
  ASSERT_TRUE(known);
  ASSERT_EQ(known->labels.size(), 2u);
  EXPECT_EQ(known->labels[0].name, "2");
  EXPECT_EQ(known->labels[1].name, "7 seven");
  EXPECT_DOUBLE_EQ(known->labels[1].amount, 0.003) << "mL";
  EXPECT_EQ(known->labels[1].middle, (Vec3<double>{2, 0, 0}));
  EXPECT_EQ(listed.count(), 1);
}

TEST_F(LabelListsTest, KeepTheFormerListUntilANewContentIsListed) {
  const LayerId id = layers.add(test::shared(row({7, 0})));
  lists.of(*layers.find(id));
  ASSERT_TRUE(listed.wait(kWait));
  const auto before = lists.of(*layers.find(id));
  layers.replaceContent(id, test::shared(row({7, 3})));
  EXPECT_EQ(lists.of(*layers.find(id)), before);
  ASSERT_TRUE(listed.wait(kWait));
  EXPECT_EQ(lists.of(*layers.find(id))->labels.size(), 2u);
}

TEST_F(LabelListsTest, MergeLabelsAndDeleteThemWithTheirNames) {
  const LayerId id = layers.add(test::shared(row({7, 0, 2, 7, 9})));
  const auto labels = [&] { return std::get<LabelsLayer>(layers.find(id)->layer->content); };
  QSignalSpy changed(&layers, &LayerStack::contentChanged);
  lists.relabel(id, {7, 2}, 7);
  ASSERT_TRUE(changed.wait(kWait));
  EXPECT_EQ(labels().labels->values, (std::vector<Label>{7, 0, 7, 7, 9}));
  EXPECT_EQ(labels().names->at(7).name, "seven");
  EXPECT_TRUE(layers.find(id)->unsaved);
  lists.relabel(id, {9}, 0);
  ASSERT_TRUE(changed.wait(kWait));
  EXPECT_EQ(labels().labels->values, (std::vector<Label>{7, 0, 7, 7, 0}));
  EXPECT_FALSE(labels().names->contains(9));
}

TEST_F(LabelListsTest, TellNothingOfALayerThatIsGoneOrHasNone) {
  const LayerId image = layers.add(test::shared(test::volumeLayer("image")));
  EXPECT_FALSE(LabelLists::has(*layers.find(image)));
  EXPECT_FALSE(lists.of(*layers.find(image)));
  const LayerId gone = layers.add(test::shared(row({7}))), stays = layers.add(test::shared(row({2})));
  lists.of(*layers.find(gone));
  lists.of(*layers.find(stays));
  layers.remove(gone);
  ASSERT_TRUE(listed.wait(kWait));
  EXPECT_EQ(listed.count(), 1);
  EXPECT_EQ(listed.front().front().toInt(), stays);
}

TEST(LabelEntryTest, IsChangedForOneLabelAlone) {
  Grid grid;
  grid.size = {3, 1, 1};
  Layer layer;
  auto names = std::make_shared<LabelTable>();
  (*names)[1].name = "one";
  layer.content = LabelsLayer{std::make_shared<Volume<sulcus::Label>>(grid), names};
  const LayerPtr changed = withLabelEntry(layer, 2, {"tumor", std::array<std::uint8_t, 3>{255, 0, 0}});
  ASSERT_TRUE(changed);
  const LabelTable& table = *std::get<LabelsLayer>(changed->content).names;
  EXPECT_EQ(table.at(1).name, "one");
  EXPECT_EQ(table.at(2).name, "tumor");
  EXPECT_EQ(table.at(2).color->front(), 255);
  EXPECT_EQ(names->size(), 1u) << "the former layer stays as it is";
  EXPECT_FALSE(withLabelEntry(Layer(), 1, {}));
}

}  // namespace
}  // namespace sulcus::ui::model
