#include "ui/model/layers/dissection.h"

#include "core/image/display/tract_coloring.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"

#include <QObject>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

/// Lines along x, spaced by one millimeter in y from 0 on.
LayerPtr comb(std::size_t lines) {
  auto tracts = std::make_shared<Tracts>();
  for (std::size_t i = 0; i < lines; ++i) {
    for (int x = 0; x <= 20; ++x) tracts->points.push_back({float(x), float(i), 0});
    tracts->first.push_back(tracts->points.size());
  }
  auto layer = std::make_shared<Layer>();
  layer->name = "comb", layer->source = "/data/my comb.trx";
  layer->content = TractsLayer{tracts};
  return layer;
}

struct DissectionTest : testing::Test {
  QObject owner;
  LayerStack layers;
  ViewState view;
  JobQueue queue{jobs::qtPost(&owner)};
  Dissection dissection{layers, view, queue};
  LayerId id = layers.add(comb(20));

  using Role = TractRegion::Role;
  using Shape = TractRegion::Shape;
  const std::vector<Bundle>* kept() const {
    return std::get<TractsLayer>(layers.find(id)->layer->content).bundles.get();
  }
  bool waitForLines(std::size_t bundle, std::size_t lines) {
    return QTest::qWaitFor(
        [&] { return kept() && kept()->size() > bundle && (*kept())[bundle].lines.size() == lines; }, kWait);
  }
};

TEST_F(DissectionTest, RegionsChooseLinesAndTheLayerKeepsThem) {
  ASSERT_TRUE(QTest::qWaitFor([&] { return dissection.isIndexed(); }, kWait));
  dissection.addRegion(Shape::sphere, Role::include, {10, 5, 0}, 2.5);
  ASSERT_TRUE(waitForLines(0, 5));  // 3 … 7
  dissection.addRegion(Shape::box, Role::exclude, {10, 7, 0}, 0.5);
  ASSERT_TRUE(waitForLines(0, 4));
  EXPECT_EQ((*kept())[0].lines, (std::vector<std::uint32_t>{3, 4, 5, 6}));
  ASSERT_TRUE(QTest::qWaitFor([&] { return dissection.facts(0).has_value(); }, kWait));
  EXPECT_EQ(dissection.facts(0)->summary.meanLength, 20);
  const auto shown = layers.shownTracts(id);
  ASSERT_TRUE(shown && shown->parts);
  EXPECT_EQ(shown->regions.size(), 2u);
  EXPECT_EQ(*shown->parts->at(0).lines, (*kept())[0].lines);
  EXPECT_EQ(dissection.commandLine().toStdString(),
            "sulcus-cli bundle '/data/my comb.trx' --include sphere:10,5,0,2.5 --exclude box:10,7,0,1,1,1 "
            "--out 'bundle 1.trx'");
  EXPECT_EQ(std::get<TractsLayer>(dissection.layerOf(0)->content).tracts->lines(), 4u);
}

TEST_F(DissectionTest, WhileARegionIsDraggedTheLayerStaysAsItWas) {
  dissection.addRegion(Shape::sphere, Role::include, {10, 5, 0}, 2.5);
  ASSERT_TRUE(waitForLines(0, 5));
  const LayerPtr before = layers.find(id)->layer;
  TractRegion moved = dissection.bundles()[0].regions[0];
  moved.center.y = 0;
  QSignalSpy followed(&dissection, &Dissection::followed);
  dissection.changeRegion(0, moved, false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !followed.empty(); }, kWait));
  EXPECT_EQ(layers.shownTracts(id)->regions[0].center.y, 0);
  EXPECT_EQ(layers.shownTracts(id)->parts->at(0).lines->size(), 3u);
  EXPECT_TRUE(layers.shownTracts(id)->moves);
  EXPECT_EQ(layers.find(id)->layer, before);
  layers.setVisible(id, false);  // other changes do not stop the drag
  EXPECT_EQ(dissection.bundles()[0].regions[0].center.y, 0);
  dissection.changeRegion(0, moved, true);
  ASSERT_TRUE(waitForLines(0, 3));
  EXPECT_NE(layers.find(id)->layer, before);
}

TEST_F(DissectionTest, UndoBringsBackTheBundlesOfTheLayer) {
  dissection.addRegion(Shape::sphere, Role::include, {10, 5, 0}, 2.5);
  ASSERT_TRUE(waitForLines(0, 5));
  const auto before = layers.layers();
  dissection.removeRegion(0);
  ASSERT_TRUE(waitForLines(0, 20));
  layers.restore(before, id);
  ASSERT_EQ(dissection.bundles().size(), 1u);
  EXPECT_EQ(dissection.bundles()[0].regions.size(), 1u);
  EXPECT_EQ(dissection.bundles()[0].lines.size(), 5u);
}

TEST_F(DissectionTest, BundlesAreNamedColoredAndHidden) {
  dissection.addRegion(Shape::sphere, Role::include, {10, 5, 0}, 2.5);
  dissection.addBundle();
  dissection.addRegion(Shape::sphere, Role::end, {0, 10, 0}, 1.5);
  ASSERT_TRUE(waitForLines(1, 3));
  EXPECT_NE(dissection.bundles()[0].name, dissection.bundles()[1].name);
  EXPECT_NE(dissection.bundles()[0].color, dissection.bundles()[1].color);
  EXPECT_EQ(layers.shownTracts(id)->parts->size(), 2u);
  dissection.rename(1, QStringLiteral(" tract "));
  dissection.setVisible(0, false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return layers.shownTracts(id)->parts->size() == 1; }, kWait));
  ASSERT_TRUE(QTest::qWaitFor([&] { return kept()->at(1).name == "tract"; }, kWait));
  dissection.removeBundle(0);
  ASSERT_TRUE(QTest::qWaitFor([&] { return kept()->size() == 1; }, kWait));
  dissection.removeBundle(0);
  ASSERT_TRUE(QTest::qWaitFor([&] { return kept() == nullptr; }, kWait));
  EXPECT_FALSE(layers.shownTracts(id)->parts);
}

TEST_F(DissectionTest, ASecondBundleColorsTheLinesByBundle) {
  dissection.addBundle();
  EXPECT_EQ(layers.find(id)->volume, 0);
  dissection.addBundle();
  EXPECT_EQ(shownColoring(*layers.find(id)->layer, layers.find(id)->volume)->by, TractColoring::By::group);
}

/// Labels on voxels of 1 mm, of which y from `from` to `to` are label 2.
LayerPtr stripe(int from, int to) {
  Grid grid;
  grid.size = {21, 20, 1};
  auto labels = std::make_shared<Volume<Label>>(grid);
  for (int y = from; y <= to; ++y) (*labels)(10, y, 0) = 2;
  return std::make_shared<const Layer>(labelsLayer("stripe", labels));
}

TEST_F(DissectionTest, ALabelChoosesLinesWhileItIsPainted) {
  const LayerId labels = layers.add(stripe(3, 5));
  layers.setCurrent(id);
  dissection.addLabel(labels, 2, Role::include);
  ASSERT_TRUE(waitForLines(0, 3));
  EXPECT_EQ(dissection.labelsOf((*kept())[0].regions[0]), labels);
  EXPECT_EQ(
      dissection.commandLine().toStdString(),
      "sulcus-cli bundle '/data/my comb.trx' --labels stripe.nii.gz --include label:2 --out 'bundle 1.trx'");
  const auto before = layers.layers();
  layers.replaceContent(labels, stripe(3, 9), true);  // what a stroke does
  // No state has a region of an image that is in no layer: a session could not name it.
  EXPECT_EQ((*kept())[0].regions[0].body->labels,
            std::get<LabelsLayer>(layers.find(labels)->layer->content).labels);
  EXPECT_TRUE(dissection.isFollowing());
  ASSERT_TRUE(waitForLines(0, 7));
  EXPECT_FALSE(layers.shownTracts(id)->moves);
  TractRegion other = dissection.bundles()[0].regions[0];
  other.role = Role::exclude;
  dissection.changeRegion(0, other, true);
  ASSERT_TRUE(waitForLines(0, 13));
  layers.restore(before, id);
  EXPECT_EQ((*kept())[0].lines.size(), 3u);
  EXPECT_EQ(dissection.bundles()[0].regions[0].role, Role::include);
  layers.remove(labels);
  ASSERT_TRUE(waitForLines(0, 20));
  EXPECT_TRUE(dissection.bundles()[0].regions.empty());
}

TEST_F(DissectionTest, LabelsOfTwoImagesAreDistinguishedInTheCommand) {
  const LayerId one = layers.add(stripe(3, 5)), other = layers.add(stripe(4, 9));
  layers.setCurrent(id);
  dissection.addLabel(one, 2, Role::include);
  dissection.addLabel(other, 2, Role::include);
  ASSERT_TRUE(waitForLines(0, 2));
  EXPECT_EQ(dissection.commandLine().toStdString(),
            "sulcus-cli bundle '/data/my comb.trx' --labels stripe.nii.gz --include label:2 "
            "--include 'label:2,stripe 2.nii.gz' --out 'bundle 1.trx'");
}

TEST_F(DissectionTest, AGroupIsShownAlone) {
  auto layer = std::make_shared<Layer>(*comb(20));
  auto tracts = std::make_shared<Tracts>(*std::get<TractsLayer>(layer->content).tracts);
  tracts->groups = {{"3-4", {2, 7, 9}}};
  std::get<TractsLayer>(layer->content).tracts = tracts;
  const LayerId other = layers.add(layer);
  EXPECT_FALSE(dissection.showGroup(id, "3-4"));
  EXPECT_FALSE(dissection.showGroup(other, "3-5"));
  ASSERT_TRUE(dissection.showGroup(other, "3-4"));
  EXPECT_EQ(dissection.shownGroup()->lines, 3u);
  EXPECT_EQ(dissection.shownGroup()->place, (Vec3<double>{10, 7, 0}));
  EXPECT_EQ(*layers.shownTracts(other)->parts->at(0).lines, tracts->groups[0].lines);
  EXPECT_EQ(std::get<TractsLayer>(dissection.layerOfGroup()->content).tracts->lines(), 3u);
  dissection.showAll();
  EXPECT_FALSE(layers.shownTracts(other)->parts);
  ASSERT_TRUE(dissection.showGroup(other, "3-4"));
  layers.remove(other);
  EXPECT_FALSE(dissection.shownGroup());
}

TEST_F(DissectionTest, WithoutTractsThereIsNoTarget) {
  layers.remove(id);
  EXPECT_EQ(dissection.target(), 0);
  dissection.addBundle();
  dissection.addRegion(Shape::sphere, Role::include, {}, 1);
  EXPECT_TRUE(dissection.bundles().empty());
  EXPECT_TRUE(dissection.commandLine().isEmpty());
}

}  // namespace
}  // namespace sulcus::ui::model
