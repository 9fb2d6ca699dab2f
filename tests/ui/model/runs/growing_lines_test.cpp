#include "ui/model/runs/growing_lines.h"

#include "tests/ui/growing_analysis.h"
#include "tests/ui/wait.h"
#include "ui/jobs/qt_post.h"

#include <QSignalSpy>
#include <QTest>
#include <memory>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

struct GrowingLinesTest : testing::Test {
  std::shared_ptr<test::GrowthProbe> probe = std::make_shared<test::GrowthProbe>();
  Analysis analysis = test::growingAnalysis(probe);
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
  QObject owner;
  JobQueue queue{jobs::qtPost(&owner)};
  GrowingLines growing{layers, &presenter, queue};
  LayerId image = layers.add(shared(volumeLayer("image")));

  const Tracts* shown() const {
    const LayerState* state = layers.find(growing.regionsLayer());
    return state ? std::get<TractsLayer>(state->layer->content).tracts.get() : nullptr;
  }
  bool waitForLines(std::size_t lines, float x) {
    return QTest::qWaitFor(
        [&] {
          return shown() && shown()->lines() == lines && (lines == 0 || shown()->points.front().x == x);
        },
        kWait);
  }
  std::string regionsOption() const {
    return std::get<std::string>(presenter.options().values().at("regions"));
  }
  std::int64_t seedsOption() const {
    return std::get<std::int64_t>(presenter.options().values().at("seeds"));
  }
};

TEST_F(GrowingLinesTest, AllSeedsAreFollowedOnceTheMouseRests) {
  ASSERT_TRUE(growing.canGrow());
  growing.addRegion(TractRegion::Shape::sphere, {1, 2, 3}, 4);
  EXPECT_EQ(regionsOption(), "sphere:1,2,3,4");
  EXPECT_EQ(seedsOption(), 3) << "which regions need";
  ASSERT_TRUE(layers.shownTracts(growing.regionsLayer())) << "the region is seen before its lines";
  EXPECT_EQ(layers.find(growing.regionsLayer())->origin, Origin::temporary);
  ASSERT_TRUE(waitForLines(3, 1));
  EXPECT_EQ(growing.facts().followed, 3);
  EXPECT_EQ(probe->begun, 1);
}

TEST_F(GrowingLinesTest, LinesFollowARegionAndTheOptionOnceItIsReleased) {
  growing.addRegion(TractRegion::Shape::box, {1, 2, 3}, 4);
  ASSERT_TRUE(waitForLines(3, 1));
  TractRegion moved = growing.regions().front();
  moved.center.x = 9;
  growing.changeRegion(0, moved, false);
  ASSERT_TRUE(waitForLines(3, 9));
  EXPECT_TRUE(layers.shownTracts(growing.regionsLayer())->moves);
  EXPECT_EQ(regionsOption(), "box:1,2,3,8,8,8");
  growing.changeRegion(0, moved, true);
  EXPECT_EQ(regionsOption(), "box:9,2,3,8,8,8");
  EXPECT_EQ(probe->begun, 1) << "what does not change with the region is kept";
  presenter.options().set("regions", std::string("sphere:5,0,0,1"));  // as by undo or the form
  ASSERT_TRUE(waitForLines(3, 5));
  EXPECT_EQ(growing.regions().size(), 1u);
}

TEST_F(GrowingLinesTest, PaintedRegionsAreAnInput) {
  Layer labels = volumeLayer("labels");
  labels.content = LabelsLayer{std::make_shared<const Volume<Label>>(*gridOf(labels), 1)};
  const LayerId painted = layers.add(shared(labels), Origin::computed);
  presenter.inputs().choose("mask", 0);
  growing.growFromPainted(painted);
  EXPECT_EQ(presenter.inputs().first("mask"), painted);
  ASSERT_TRUE(waitForLines(3, 0));
  QSignalSpy grown(&growing, &GrowingLines::grown);
  layers.replaceContent(painted, shared(labels), true);  // a brush stroke
  ASSERT_TRUE(QTest::qWaitFor([&] { return !grown.empty(); }, kWait));
  growing.stop();
  EXPECT_EQ(presenter.inputs().first("mask"), 0);
}

TEST_F(GrowingLinesTest, StoppedAllIsAsBefore) {
  growing.addRegion(TractRegion::Shape::sphere, {1, 2, 3}, 4);
  ASSERT_TRUE(waitForLines(3, 1));
  const LayerPtr kept = growing.lines();
  ASSERT_TRUE(kept);
  EXPECT_EQ(std::get<TractsLayer>(kept->content).tracts->lines(), 3u);
  growing.stop();
  EXPECT_FALSE(growing.isOn());
  EXPECT_EQ(regionsOption(), "");
  EXPECT_EQ(seedsOption(), 0);
  EXPECT_EQ(layers.layers().size(), 1u);
  EXPECT_FALSE(growing.lines());
  growing.addRegion(TractRegion::Shape::sphere, {7, 2, 3}, 4);
  ASSERT_TRUE(waitForLines(3, 7));
  layers.remove(growing.regionsLayer());
  EXPECT_FALSE(growing.isOn());
}

TEST_F(GrowingLinesTest, AFaultIsReported) {
  probe->failing = true;
  growing.addRegion(TractRegion::Shape::sphere, {1, 2, 3}, 4);
  ASSERT_TRUE(QTest::qWaitFor([&] { return growing.facts().fault.contains("Nothing grows"); }, kWait));
  layers.remove(image);
  EXPECT_FALSE(growing.canGrow());
  EXPECT_FALSE(growing.isOn());
}

TEST_F(GrowingLinesTest, WithoutAnAnalysisNothingGrows) {
  GrowingLines none(layers, nullptr, queue);
  EXPECT_FALSE(none.canGrow());
  none.addRegion(TractRegion::Shape::sphere, {}, 1);
  EXPECT_FALSE(none.isOn());
}

}  // namespace
}  // namespace sulcus::ui::model
