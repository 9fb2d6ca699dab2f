#include "ui/model/choices/presenters.h"

#include "core/io/files.h"
#include "tests/ui/fake_analysis.h"
#include "tests/ui/qt_folder.h"
#include "tests/ui/wait.h"
#include "ui/model/workspace.h"

#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

/// The analysis that needs two images is before the one that needs one.
struct RaisedAnalysis : testing::Test {
  static std::vector<Analysis> pairAndSingle() {
    Analysis pair = test::fakeAnalysis();
    pair.name = "pair";
    pair.inputs[1].required = true;
    pair.inputs[1].accepts = pair.inputs[0].accepts;
    return {pair, test::fakeAnalysis()};
  }
  LayerId open(const char* name) { return workspace.layers().add(shared(volumeLayer(name))); }
  std::string front() {
    QCoreApplication::processEvents();
    return workspace.presenters().current()->analysis().name;
  }
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses = pairAndSingle();
  Workspace workspace{analyses, [] { return DeviceReport{}; }, settings};
};

TEST_F(RaisedAnalysis, IsTheFirstThatCanBeRunOnWhatIsOpen) {
  EXPECT_EQ(front(), "pair");
  open("one");
  EXPECT_EQ(front(), "fake");
  open("two");
  EXPECT_EQ(front(), "pair");
}

TEST_F(RaisedAnalysis, IsTheOneThatTakesSeveralThoughItMayDrawInputs) {
  analyses[0].inputLayers = [](const AnalysisInputs&, const OptionValues&, const Progress&) {
    return std::vector<Layer>{};
  };
  open("one");
  EXPECT_EQ(front(), "fake");
  open("two");
  EXPECT_EQ(front(), "pair");
}

TEST_F(RaisedAnalysis, IsTheOneThatTakesTheSeriesIfNoneTakesAll) {
  const auto isSeries = [](const Layer& layer) {
    return std::get<VolumeLayer>(layer.content).series->count > 1;
  };
  analyses[0].inputs[1].required = false;
  analyses[0].inputs[0].accepts = [isSeries](const Layer& layer) { return !isSeries(layer); };
  analyses[1].inputs[0].accepts = isSeries;
  open("of opposite encoding");
  EXPECT_EQ(front(), "pair");
  workspace.layers().add(shared(volumeLayer("series", {4, 4, 4}, 0, 6)));
  EXPECT_EQ(front(), "fake");
}

TEST_F(RaisedAnalysis, DrawsItsInputIntoTheViewsOnlyOnceItIsChosen) {
  analyses[1].inputLayers = [](const AnalysisInputs&, const OptionValues&, const Progress&) {
    return std::vector{volumeLayer("drawn")};
  };
  analyses[1].spans = [](const AnalysisInputs&) { return std::map<std::string, Range>{{"scale", {1, 2}}}; };
  AnalysisPresenter& fake = *workspace.presenters().all()[1];
  const auto& all = workspace.layers().layers();
  for (int time = 0; time < 2; ++time) {  // again after all were closed
    const LayerId one = open("one");
    EXPECT_EQ(front(), "fake");
    // If they were drawn, they would have been requested as well.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !fake.spans().empty(); }, kWait));
    EXPECT_EQ(all.size(), 1U);
    workspace.presenters().choose(&fake);
    ASSERT_TRUE(QTest::qWaitFor([&] { return all.size() == 2; }, kWait));
    workspace.layers().remove(one);
    ASSERT_TRUE(QTest::qWaitFor([&] { return all.empty(); }, kWait));
  }
}

TEST_F(RaisedAnalysis, StaysAsItWasChosenUntilAllIsClosed) {
  EXPECT_EQ(front(), "pair");
  workspace.presenters().keepCurrent();
  const LayerId one = open("one");
  EXPECT_EQ(front(), "pair");
  workspace.layers().remove(one);
  open("one");
  EXPECT_EQ(front(), "fake");
}

TEST_F(RaisedAnalysis, OfAnExampleStaysUntilFilesAreOpened) {
  open("one");
  EXPECT_EQ(front(), "fake");
  workspace.presenters().keepForExample();
  open("two");
  EXPECT_EQ(front(), "fake");
  const QString own = folder.filePath("own.nii");
  io::saveLayer(volumeLayer("own"), own.toStdString());
  workspace.files().open({own});
  ASSERT_TRUE(QTest::qWaitFor([&] { return workspace.files().pending() == 0; }, kWait));
  EXPECT_EQ(front(), "pair");
}

TEST_F(RaisedAnalysis, StaysOnceSomethingWasRun) {
  open("one");
  EXPECT_EQ(front(), "fake");
  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  open("two");
  EXPECT_EQ(front(), "fake");
}

}  // namespace
}  // namespace sulcus::ui::model
