#include "ui/model/choices/left_out_volumes.h"

#include "tests/ui/model/session/session_fixture.h"

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

/// The fake analysis takes several series and can exclude volumes; the rich one cannot.
struct LeftOutVolumesTest : SessionTest {
  LeftOutVolumesTest() {
    analyses.front().inputs.front().many = true;
    OptionInfo dropped = textOption("drop-volumes", "Drop volumes", "Those not used.");
    dropped.defaultValue = std::string();
    analyses.front().options.push_back(dropped);
    start();
  }
  LeftOutVolumes& leftOut() { return workspace->editing().leftOutVolumes; }
  AnalysisPresenter& fake() { return *workspace->presenters().named("fake"); }
  std::string list() { return std::get<std::string>(fake().options().values().at("drop-volumes")); }
  LayerId addSeries(const char* name, int count) {
    const LayerId id = layers().add(shared(volumeLayer(name, {4, 4, 4}, 1, count)));
    fake().inputs().add("image", id);
    return id;
  }
  void toggle(LayerId id, int volume) {
    layers().setVolume(id, volume);
    leftOut().toggle(id);
  }
};

TEST_F(LeftOutVolumesTest, AreNumbersOfTheOption) {
  const LayerId series = addSeries("bold", 5);
  QSignalSpy changed(&leftOut(), &LeftOutVolumes::changed);
  toggle(series, 3);
  EXPECT_GT(changed.count(), 0);
  toggle(series, 0);
  EXPECT_EQ(list(), "0,3");
  EXPECT_EQ(leftOut().of(series), (std::set<int>{0, 3}));
  EXPECT_TRUE(fake().commandLine(RunChoice::cpu).contains("--drop-volumes 0,3"))
      << fake().commandLine(RunChoice::cpu).toStdString();
  toggle(series, 3);
  EXPECT_EQ(list(), "0");
  fake().options().set("drop-volumes", std::string("4, 1"));  // typed
  EXPECT_EQ(leftOut().of(series), (std::set<int>{1, 4}));
}

TEST_F(LeftOutVolumesTest, CountOnOverTheSeriesOfASlot) {
  const LayerId first = addSeries("run1", 5), second = addSeries("run2", 4);
  toggle(second, 1);
  EXPECT_EQ(list(), "6");
  EXPECT_TRUE(leftOut().of(first).empty());
  EXPECT_EQ(leftOut().of(second), (std::set<int>{1}));
  toggle(first, 4);
  EXPECT_EQ(list(), "4,6");
  fake().inputs().choose("image", {second, first});
  EXPECT_EQ(leftOut().of(second), std::set<int>()) << "the list is of places in the slot";
  EXPECT_EQ(leftOut().of(first), (std::set<int>{0, 2}));
}

TEST_F(LeftOutVolumesTest, AreOfSeriesThatAnAnalysisWorksOn) {
  const LayerId series = addSeries("bold", 5);
  EXPECT_TRUE(leftOut().canLeaveOut(series));
  fake().inputs().choose("image", {});
  EXPECT_FALSE(leftOut().canLeaveOut(series));
  const LayerId one = addSeries("T1", 1);
  EXPECT_FALSE(leftOut().canLeaveOut(one)) << "nothing would be left";
  leftOut().toggle(one);
  EXPECT_EQ(list(), "");
}

TEST_F(LeftOutVolumesTest, AListThatCannotBeReadStaysAndIsReported) {
  const LayerId series = addSeries("bold", 5);
  for (const char* typed : {"2,x", "65"}) {
    fake().options().set("drop-volumes", std::string(typed));
    EXPECT_TRUE(leftOut().of(series).empty());
    failed->clear();
    toggle(series, 1);
    EXPECT_EQ(list(), typed);
    ASSERT_EQ(failed->count(), 1);
  }
  EXPECT_TRUE(failed->front().back().toString().contains("volumes 0 to 4"));
}

TEST_F(LeftOutVolumesTest, AreUndoneAndKeptByASession) {
  workspace->files().open({scan("bold")});
  ASSERT_TRUE(settle());
  const LayerId series = addSeries("run2", 5);
  step();
  toggle(series, 2);
  step();
  EXPECT_EQ(session().undoText(), "parameters of fake");
  session().undo();
  EXPECT_TRUE(leftOut().of(series).empty());
  session().redo();
  EXPECT_EQ(leftOut().of(series), (std::set<int>{2}));
  save();
  start();
  open();
  ASSERT_TRUE(named("run2"));
  EXPECT_EQ(leftOut().of(named("run2")->id), (std::set<int>{2}));
}

}  // namespace
}  // namespace sulcus::ui::model
