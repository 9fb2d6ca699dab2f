#include "ui/model/choices/analysis_presenter.h"

#include "tests/ui/rich_analysis.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::fakeAnalysis;
using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct AnalysisPresenterTest : testing::Test {
  Analysis analysis = fakeAnalysis();
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
};

TEST_F(AnalysisPresenterTest, KnowsWhichScanItsOptionsWereChosenForUntilOnesOfThisScanAreChosen) {
  const LayerId first = layers.add(shared(volumeLayer("first")));
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.options().set("gain", 5.);
  EXPECT_EQ(presenter.keptFrom(), "");
  const LayerId second = layers.add(shared(volumeLayer("second")));
  presenter.inputs().choose("image", second);
  EXPECT_EQ(presenter.keptFrom(), "first");
  presenter.inputs().choose("image", first);
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.inputs().choose("image", second);
  presenter.options().set("rounds", std::int64_t(3));  // after this, all belong to this one
  EXPECT_EQ(presenter.keptFrom(), "");
  presenter.inputs().choose("image", first);
  EXPECT_EQ(presenter.keptFrom(), "second");
  presenter.options().reset();
  EXPECT_EQ(presenter.keptFrom(), "");
}

TEST_F(AnalysisPresenterTest, KeepsParametersOfAnExampleForItsScanOnly) {
  presenter.options().set("gain", 3.);
  const LayerId example = layers.add(shared(volumeLayer("example")));
  presenter.takeExampleParameters({{"gain", 5.}});
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(5.));
  EXPECT_TRUE(presenter.areOfExample());
  layers.rename(example, "renamed");
  EXPECT_TRUE(presenter.areOfExample());
  const LayerId own = layers.add(shared(volumeLayer("own")));
  presenter.inputs().choose("image", own);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(3.));
  EXPECT_FALSE(presenter.areOfExample());

  presenter.inputs().choose("image", example);
  presenter.takeExampleParameters({{"gain", 5.}});
  presenter.restore(presenter.choices());  // as a run that is opened does
  presenter.inputs().choose("image", own);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(5.));

  presenter.inputs().choose("image", example);
  presenter.takeExampleParameters({{"gain", 5.}});
  presenter.options().set("rounds", std::int64_t(3));  // the user's from now on
  presenter.inputs().choose("image", own);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(5.));
  EXPECT_EQ(presenter.options().values().at("rounds"), OptionValue(std::int64_t(3)));
}

TEST_F(AnalysisPresenterTest, TakesARenamedScanForTheSame) {
  Layer scan = volumeLayer("scan");
  scan.source = "/scans/scan.nii";
  const LayerId id = layers.add(shared(std::move(scan)));
  presenter.options().set("gain", 5.);
  layers.rename(id, "renamed");
  EXPECT_EQ(presenter.keptFrom(), "");
}

TEST_F(AnalysisPresenterTest, SaysHowMuchMemoryIsFreeWhereARunNeedsMore) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.memoryLine(), "Needs 1.0 MB of memory");
  Analysis greedy = analysis;
  greedy.memory = [](const AnalysisInputs&, const OptionValues&) { return MemoryNeed{1e15, 0}; };
  AnalysisPresenter presenterOfGreedy{greedy, layers};
  EXPECT_TRUE(presenterOfGreedy.memoryLine().endsWith(" are free"))
      << presenterOfGreedy.memoryLine().toStdString();
}

TEST_F(AnalysisPresenterTest, SaysWhyTheGpuCannotRun) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: looking for devices…");
  presenter.setDevices({true, {{}, "no CUDA driver"}});
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: no CUDA driver");
  EXPECT_EQ(presenter.whyNot(RunChoice::both), "GPU: no CUDA driver");
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
  presenter.setDevices({true, oneDevice(1e9)});
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: 2.0 GB needed, 1.0 GB free");
  presenter.setDevices({true, oneDevice(8e9)});
  EXPECT_EQ(presenter.whyNot(RunChoice::both), "");
}

TEST_F(AnalysisPresenterTest, KnowsARemoteGpu) {
  layers.add(shared(volumeLayer("a")));
  presenter.setDevices({true, oneDevice(8e9)});
  presenter.setGpuHost("ssh:server");
  EXPECT_EQ(presenter.whyNot(RunChoice::gpu), "GPU: looking for devices…") << "those there are others";
  EXPECT_TRUE(presenter.commandLine(RunChoice::gpu).contains("--backend ssh:server"));
  EXPECT_TRUE(presenter.commandLine(RunChoice::cpu).contains("--backend cpu"));
}

TEST_F(AnalysisPresenterTest, AsksForAdviceAgainWhenAParameterChanges) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.advice(), "gain is 2");
  presenter.options().set("gain", 5.0);
  EXPECT_EQ(presenter.advice(), "gain is 5");
}

TEST_F(AnalysisPresenterTest, RefusesAtOnceWhatARunWouldRefuse) {
  analysis.advice = [](const AnalysisInputs&, const OptionValues& values) -> std::string {
    if (std::get<double>(values.at("gain")) > 50)
      throw Error("Too much", "it is loud", "lower {gain}"_message);
    return "fine";
  };
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
  presenter.options().set("gain", 60.0);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Too much (it is loud): lower “Gain”");
  EXPECT_EQ(presenter.advice(), "") << "said once";
}

TEST_F(AnalysisPresenterTest, WritesTheCommandLineThatDoesTheSame) {
  Layer layer = volumeLayer("a");
  layer.source = "/scans/it's here.nii";
  layers.add(shared(layer));
  presenter.options().set("gain", 2.5);
  presenter.options().set("mode", std::string("doubled"));
  EXPECT_EQ(presenter.commandLine(RunChoice::both),
            "sulcus-cli fake --image '/scans/it'\\''s here.nii' --gain 2.5 --mode doubled --backend both "
            "--out fake_results");
}

struct RichPresenterTest : testing::Test {
  Analysis analysis = test::richAnalysis();
  LayerStack layers;
  AnalysisPresenter presenter{analysis, layers};
};

TEST_F(RichPresenterTest, SaysWhenAnOptionThatChangesAResultHasChanged) {
  QSignalSpy adjustable(&presenter, &AnalysisPresenter::adjustableChanged);
  presenter.options().set("scale", 3.0);
  EXPECT_EQ(adjustable.count(), 0);
  presenter.options().set("level", 3.0);
  EXPECT_EQ(adjustable.count(), 1);
}

TEST(FormatBytesTest, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(formatBytes(999), "999 B");
  EXPECT_EQ(formatBytes(1500), "1.5 kB");
  EXPECT_EQ(formatBytes(999.9e6), "1.0 GB");
  EXPECT_EQ(formatBytes(139e9), "139 GB");
}

}  // namespace
}  // namespace sulcus::ui::model
