#include "ui/widgets/controls/option_form.h"

#include "tests/ui/fake_analysis.h"
#include "ui/widgets/controls/option_slider.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::FakeMode;
using test::FakeOptions;

TEST(OptionFormTest, ShowsTheDefaultsOfDescribe) {
  OptionForm form(describeOptions<FakeOptions>());
  EXPECT_EQ(form.values(), optionValues(FakeOptions()));
}

TEST(OptionFormTest, GivesBackEveryValueItIsGiven) {
  OptionForm form(describeOptions<FakeOptions>());
  QSignalSpy edited(&form, &OptionForm::edited);
  FakeOptions options;
  options.gain = 33.5;
  options.rounds = 17;
  options.failing = true;
  options.mode = FakeMode::doubled;
  options.tolerance = 3e-8;
  form.setValues(optionValues(options));
  EXPECT_EQ(form.values(), optionValues(options));
  EXPECT_EQ(edited.count(), 0);
}

TEST(OptionFormTest, CallsTheSmallestValueByItsName) {
  OptionInfo order = withLowest("auto", numberOption("order", "Order", "", 0, 8, 2, "Of the function."));
  order.defaultValue = std::int64_t(0);
  OptionForm form({order});
  auto* box = form.findChild<QDoubleSpinBox*>(QStringLiteral("option.order"));
  ASSERT_TRUE(box);
  EXPECT_EQ(box->text(), "auto");
  box->stepUp();
  EXPECT_EQ(box->text(), "2");
}

TEST(OptionFormTest, TellsRangeAndDefaultUnderTheMouse) {
  OptionInfo order = withLowest("auto", numberOption("order", "Order", "", 0, 8, 2, "Of the function."));
  order.defaultValue = std::int64_t(0);
  OptionInfo angle = numberOption("angle", "Angle", "°", 0.5, 45, 1, "Of two peaks.");
  angle.defaultValue = 12.5;
  OptionInfo mode = choiceOption("mode", "Mode", {"plain", "doubled"}, "How.");
  mode.defaultValue = std::string("doubled");
  OptionInfo quick = toggleOption("quick", "Quick", "Coarsely.");
  quick.defaultValue = false;
  OptionInfo names = textOption("names", "Names", "Of maps.");
  names.defaultValue = std::string();
  OptionForm form({order, angle, mode, quick, names});
  const auto says = [&](const char* option, const char* what) {
    return form.editor(option)->toolTip().contains(QString::fromUtf8(what));
  };
  EXPECT_TRUE(says("order", "Of the function.") && says("order", "auto, or up to 8, by default auto."));
  EXPECT_TRUE(says("angle", "0.5 ° to 45 °, by default 12.5 °."));
  EXPECT_TRUE(says("mode", "By default doubled."));
  EXPECT_TRUE(says("quick", "By default off."));
  EXPECT_FALSE(says("names", "default")) << "nothing is no value to tell";
}

TEST(OptionFormTest, SignalsWhatAHandChanges) {
  OptionForm form(describeOptions<FakeOptions>());
  form.show();
  QSignalSpy edited(&form, &OptionForm::edited);
  QTest::keyClick(form.editor("gain"), Qt::Key_Up);
  QTest::mouseClick(form.editor("failing"), Qt::LeftButton, {},
                    QPoint(8, form.editor("failing")->height() / 2));
  QTest::keyClick(form.editor("mode"), Qt::Key_Down);
  const auto options = optionsFrom<FakeOptions>(form.values());
  EXPECT_EQ(options.gain, 2.5);
  EXPECT_TRUE(options.failing);
  EXPECT_EQ(options.mode, FakeMode::doubled);
  EXPECT_EQ(edited.count(), 3);
}

TEST(OptionFormTest, HidesAdvancedOptionsBehindMore) {
  OptionForm form(describeOptions<FakeOptions>());
  form.show();
  EXPECT_FALSE(form.editor("tolerance")->isVisible());
  EXPECT_TRUE(form.editor("gain")->isVisible());
  QTest::mouseClick(form.findChild<QToolButton*>(QStringLiteral("more")), Qt::LeftButton);
  EXPECT_TRUE(form.editor("tolerance")->isVisible());
}

TEST(OptionFormTest, HasASliderThatFollowsANumberOutOfItsReach) {
  OptionInfo wide = adjustable(numberOption("gamma", "γ", "", -1e6, 1e6, 0.05, "Effect."));
  wide.defaultValue = 0.0;
  OptionForm form({wide});
  auto* slider = form.findChild<OptionSlider*>(QStringLiteral("slider.gamma"));
  ASSERT_TRUE(slider);
  EXPECT_NEAR(slider->number(), 0, 1e-9);
  slider->setValue(slider->maximum());
  EXPECT_NEAR(std::get<double>(form.values().at("gamma")), 5, 1e-9);
  form.setValues({{"gamma", 40.0}});
  EXPECT_NEAR(slider->number(), 40, 1e-9);
  QSignalSpy edited(&form, &OptionForm::edited);
  slider->setValue(slider->value() - 1);
  EXPECT_NEAR(std::get<double>(form.values().at("gamma")), 39.95, 1e-9);
  EXPECT_EQ(edited.count(), 1);
}

TEST(OptionFormTest, HasSlidersAsWideAsItself) {
  OptionInfo level = adjustable(numberOption("level", "Level", "", 0, 1, 0.01, "Where it begins."));
  level.defaultValue = 0.5;
  OptionForm form({level});
  form.resize(300, 200);
  form.show();
  const auto* slider = form.findChild<OptionSlider*>(QStringLiteral("slider.level"));
  EXPECT_GT(slider->width(), 280);
  EXPECT_GT(slider->y(), form.editor("level")->y()) << "below the number";
  EXPECT_EQ(slider->maximum(), 100) << "in its steps";
}

TEST(OptionFormTest, NamesTheResultAboveWhatMayBeChangedOnIt) {
  const auto option = [](const char* name) { return numberOption(name, name, "", 0, 1, 0.01, "A number."); };
  OptionForm form(
      {option("a"), adjustable(option("b")), adjustable(option("c")), option("d"), adjustable(option("e"))});
  form.resize(300, 400);
  form.show();
  const auto lines = form.findChildren<QLabel*>(QStringLiteral("ofResult"));
  ASSERT_EQ(lines.size(), 2) << "one a group";
  EXPECT_FALSE(lines[0]->isVisible());
  form.setResultName("CPU, ν_e 3");
  QCoreApplication::processEvents();
  for (const QLabel* line : lines) EXPECT_TRUE(line->isVisible() && line->text().contains("CPU, ν_e 3"));
  EXPECT_GT(lines[0]->y(), form.editor("a")->y());
  EXPECT_LT(lines[0]->y(), form.editor("b")->y());
  form.setResultName({});
  EXPECT_FALSE(lines[0]->isVisible());
}

TEST(OptionFormTest, GivesANumberASliderOverWhatIsWorthChoosing) {
  OptionInfo threshold = numberOption("threshold", "Threshold", "", -1e9, 1e9, 0.01, "Where it ends.");
  OptionInfo other = numberOption("other", "Other", "", 0, 1, 0.01, "Stays as it is.");
  threshold.defaultValue = other.defaultValue = 0.5;
  OptionForm form({threshold, other});
  const auto slider = [&] { return form.findChild<OptionSlider*>(QStringLiteral("slider.threshold")); };
  EXPECT_FALSE(slider());
  form.setValues({{"threshold", 3.0}});
  form.setSpans({{"threshold", {-0.4, 20.7}}});
  ASSERT_TRUE(slider());
  EXPECT_FALSE(form.findChild<OptionSlider*>(QStringLiteral("slider.other")));
  EXPECT_NEAR(slider()->number(), 3, 1e-9);
  EXPECT_NEAR(slider()->maximum(), 211, 1) << "steps of 0.1";
  slider()->setValue(slider()->maximum());
  EXPECT_NEAR(std::get<double>(form.values().at("threshold")), 20.7, 1e-9);
  slider()->setValue(0);
  EXPECT_NEAR(std::get<double>(form.values().at("threshold")), -0.4, 1e-9);
  form.setValues({{"threshold", 700.0}});
  EXPECT_EQ(std::get<double>(form.values().at("threshold")), 700) << "what is typed may lie outside";
  form.setSpans({{"threshold", {100, 900}}});
  EXPECT_NEAR(slider()->number(), 700, 1e-9);
  form.setSpans({});
  EXPECT_FALSE(slider()->isVisibleTo(&form));
}

TEST(OptionFormTest, SaysWhatAnOptionDoesAndItsUnit) {
  OptionForm form(describeOptions<FakeOptions>());
  EXPECT_TRUE(form.editor("gain")->toolTip().contains("What every value is multiplied with."));
  EXPECT_EQ(form.editor("gain")->accessibleName(), "Gain");
  EXPECT_TRUE(qobject_cast<QDoubleSpinBox*>(form.editor("gain"))->suffix().endsWith("mm"));
}

}  // namespace
}  // namespace sulcus::ui::widgets
