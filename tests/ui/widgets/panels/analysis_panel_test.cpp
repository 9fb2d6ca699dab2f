#include "ui/widgets/panels/analysis_panel.h"

#include "tests/ui/fake_analysis.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::shared;
using test::volumeLayer;

struct AnalysisPanelTest : testing::Test {
  Analysis analysis = test::fakeAnalysis();
  model::LayerStack layers;
  model::AnalysisPresenter presenter{analysis, layers};
  AnalysisPanel panel{presenter, layers};

  bool enabled(model::RunChoice choice) { return panel.button(choice)->isEnabled(); }
};

TEST_F(AnalysisPanelTest, SaysInSightWhyItsButtonsAreOff) {
  presenter.setDevices({true, {{}, "no CUDA driver"}});
  EXPECT_FALSE(enabled(model::RunChoice::cpu));
  layers.add(shared(volumeLayer("a")));
  EXPECT_TRUE(enabled(model::RunChoice::cpu));
  EXPECT_FALSE(enabled(model::RunChoice::gpu));
  EXPECT_FALSE(enabled(model::RunChoice::both));
  EXPECT_EQ(panel.reason(), "GPU: no CUDA driver");
  EXPECT_EQ(panel.button(model::RunChoice::gpu)->toolTip(), "GPU: no CUDA driver");
  presenter.setDevices({true, test::oneDevice()});
  EXPECT_TRUE(enabled(model::RunChoice::both));
  EXPECT_EQ(panel.reason(), "");
}

TEST_F(AnalysisPanelTest, SaysWhichScansParametersAreStillSetAndTakesThemBackByOneClick) {
  layers.add(shared(volumeLayer("first")));
  presenter.options().set("gain", 5.);
  presenter.inputs().choose("image", layers.add(shared(volumeLayer("second"))));
  panel.show();
  auto* said = panel.findChild<QLabel*>(QStringLiteral("kept"));
  EXPECT_TRUE(said->isVisible());
  EXPECT_EQ(said->text(), "Marked parameters are kept from first.");
  auto* mark = panel.findChild<QToolButton*>(QStringLiteral("reset.gain"));
  EXPECT_TRUE(mark->isVisible());
  EXPECT_TRUE(mark->toolTip().startsWith("Kept from first: ")) << mark->toolTip().toStdString();
  QTest::mouseClick(panel.findChild<QToolButton*>(QStringLiteral("dropKept")), Qt::LeftButton);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(2.));
  EXPECT_FALSE(said->isVisible());
  EXPECT_FALSE(mark->isVisible());
}

TEST_F(AnalysisPanelTest, AsksForOneRunWhenItsButtonIsDoubleClicked) {
  presenter.setDevices({true, {{}, "no CUDA driver"}});
  layers.add(shared(volumeLayer("a")));
  QSignalSpy asked(&panel, &AnalysisPanel::runRequested);
  QPushButton* run = panel.button(model::RunChoice::cpu);
  QTest::mouseClick(run, Qt::LeftButton);
  QTest::mouseDClick(run, Qt::LeftButton);  // the second press, as Qt reports it
  QTest::mouseRelease(run, Qt::LeftButton);
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(AnalysisPanelTest, OffersFittingLayersByNameAndNoneForOptionalSlots) {
  const model::LayerId id = layers.add(shared(volumeLayer("a")));
  EXPECT_EQ(panel.picker("image")->currentText(), "a");
  EXPECT_EQ(panel.picker("mask")->count(), 1);
  EXPECT_EQ(panel.picker("mask")->currentText(), "none");
  layers.rename(id, "renamed");
  EXPECT_EQ(panel.picker("image")->currentText(), "renamed");
  layers.remove(id);
  EXPECT_EQ(panel.picker("image")->currentText(), "choose…");
}

TEST(AnalysisPanelInputs, KeepsRareOnesBehindMoreAndNamesWhatIsGivenThere) {
  Analysis analysis = test::fakeAnalysis();
  for (InputSlot& slot : analysis.inputs) slot.advanced = slot.name == "mask";
  model::LayerStack layers;
  model::AnalysisPresenter presenter{analysis, layers};
  AnalysisPanel panel{presenter, layers};
  panel.show();
  EXPECT_TRUE(panel.picker("image")->isVisible());
  EXPECT_FALSE(panel.picker("mask")->isVisible());
  auto* more = panel.findChild<QToolButton*>(QStringLiteral("moreInputs"));
  EXPECT_EQ(more->text(), "More");
  presenter.inputs().choose("mask", layers.add(shared(maskLayer("a", Mask(Grid{{2, 2, 2}, {}})))));
  EXPECT_EQ(more->text(), "More: Mask");
  QTest::mouseClick(more, Qt::LeftButton);
  EXPECT_TRUE(panel.picker("mask")->isVisible());
  QTest::mouseClick(more, Qt::LeftButton);
  EXPECT_FALSE(panel.picker("mask")->isVisible());
}

TEST_F(AnalysisPanelTest, PassesWhatIsTypedToThePresenterAndResetBack) {
  panel.show();
  QTest::keyClick(panel.findChild<QWidget*>(QStringLiteral("option.gain")), Qt::Key_Up);
  EXPECT_EQ(std::get<double>(presenter.options().values().at("gain")), 2.5);
  presenter.options().reset();
  EXPECT_EQ(panel.findChild<QDoubleSpinBox*>(QStringLiteral("option.gain"))->value(), 2);
}

TEST_F(AnalysisPanelTest, SaysWhatWasTypedBeyondTheRangeAndKeepsTheValue) {
  panel.show();
  auto* gain = panel.findChild<QDoubleSpinBox*>(QStringLiteral("option.gain"));
  gain->selectAll();
  QTest::keyClicks(gain, QStringLiteral("1000"));
  QTest::keyClick(gain, Qt::Key_Return);
  const auto* fault = panel.findChild<QLabel*>(QStringLiteral("optionFault"));
  EXPECT_TRUE(fault->isVisible());
  EXPECT_EQ(
      fault->text(),
      "“Gain” cannot be '1000' (Gain is a number from 0 to 100 mm): give a number from 0 to 100 mm; 2 is "
      "kept.");
  EXPECT_EQ(std::get<double>(presenter.options().values().at("gain")), 2);
  QTest::keyClick(gain, Qt::Key_Up);
  EXPECT_FALSE(fault->isVisible());
}

TEST_F(AnalysisPanelTest, OffersTheDefaultsAndThePresetsOfTheUserWhereTheAnalysisHasNone) {
  auto* presets = panel.findChild<QComboBox*>(QStringLiteral("presets"));
  ASSERT_TRUE(presets);
  EXPECT_EQ(presets->count(), 1);
  presenter.options().set("gain", 7.0);
  EXPECT_EQ(presets->currentText(), "custom");
  presenter.options().savePreset("loud");
  EXPECT_EQ(presets->currentText(), "loud");
  EXPECT_EQ(presets->count(), 2);
}

TEST_F(AnalysisPanelTest, AsksForTheRunOfItsButton) {
  layers.add(shared(volumeLayer("a")));
  panel.show();
  QSignalSpy wanted(&panel, &AnalysisPanel::runRequested);
  QTest::mouseClick(panel.button(model::RunChoice::cpu), Qt::LeftButton);
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted.front().front().value<model::RunChoice>(), model::RunChoice::cpu);
}

}  // namespace
}  // namespace sulcus::ui::widgets
