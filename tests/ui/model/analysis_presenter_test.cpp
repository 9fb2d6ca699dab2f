#include "ui/model/analysis_presenter.h"

#include "tests/ui/fake_analysis.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui {
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

TEST_F(AnalysisPresenterTest, TakesTheFirstFittingLayerForARequiredSlotAndLeavesOptionalOnesEmpty) {
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "Choose “Image” first.");
  const LayerId first = layers.add(shared(volumeLayer("a")));
  layers.add(shared(volumeLayer("b")));
  EXPECT_EQ(presenter.input("image"), first);
  EXPECT_EQ(presenter.input("mask"), 0);
  EXPECT_EQ(presenter.whyNot(RunChoice::cpu), "");
}

TEST_F(AnalysisPresenterTest, OffersOnlyLayersThatFit) {
  const LayerId volume = layers.add(shared(volumeLayer("a")));
  Layer table;
  table.content = TableLayer{};
  const LayerId other = layers.add(shared(table));
  EXPECT_EQ(presenter.fitting(analysis.inputs[0]), std::vector<LayerId>{volume});
  presenter.setInput("image", other);
  EXPECT_EQ(presenter.input("image"), volume);
}

TEST_F(AnalysisPresenterTest, ForgetsALayerThatIsRemoved) {
  const LayerId id = layers.add(shared(volumeLayer("a")));
  QSignalSpy changed(&presenter, &AnalysisPresenter::inputsChanged);
  layers.remove(id);
  EXPECT_EQ(presenter.input("image"), 0);
  EXPECT_GE(changed.count(), 1);
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

TEST_F(AnalysisPresenterTest, RefusesWrongOptionsAndKeepsTheOldOnes) {
  EXPECT_THROW(presenter.setOption("gain", 1e9), Error);
  EXPECT_THROW(presenter.setOptions({{"gain", 3.0}, {"nonsense", 1.0}}), Error);
  EXPECT_EQ(std::get<double>(presenter.options().at("gain")), 2);
  presenter.setOption("gain", 3.0);
  presenter.resetOptions();
  EXPECT_EQ(std::get<double>(presenter.options().at("gain")), 2);
}

TEST_F(AnalysisPresenterTest, AsksForAdviceAgainWhenAParameterChanges) {
  layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(presenter.advice(), "gain is 2");
  presenter.setOption("gain", 5.0);
  EXPECT_EQ(presenter.advice(), "gain is 5");
}

TEST_F(AnalysisPresenterTest, WritesTheCommandLineThatDoesTheSame) {
  Layer layer = volumeLayer("a");
  layer.source = "/scans/it's here.nii";
  layers.add(shared(layer));
  presenter.setOption("gain", 2.5);
  presenter.setOption("mode", std::string("doubled"));
  EXPECT_EQ(presenter.commandLine(RunChoice::both),
            "sulcus-cli fake --image '/scans/it'\\''s here.nii' --gain 2.5 --mode doubled --backend both "
            "--out fake_results");
}

TEST(FormatBytesTest, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(formatBytes(999), "999 B");
  EXPECT_EQ(formatBytes(1500), "1.5 kB");
  EXPECT_EQ(formatBytes(999.9e6), "1.0 GB");
  EXPECT_EQ(formatBytes(139e9), "139 GB");
}

}  // namespace
}  // namespace sulcus::ui
