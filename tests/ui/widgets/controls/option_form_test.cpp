#include "ui/widgets/controls/option_form.h"

#include "tests/ui/fake_analysis.h"
#include "ui/widgets/controls/option_slider.h"
#include "ui/widgets/controls/range_histogram.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTableWidget>
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
  OptionInfo order = withLowest("auto", numberOption("order", "Order", "", {0, 8, 2}, "Of the function."));
  order.defaultValue = std::int64_t(0);
  OptionForm form({order});
  auto* box = form.findChild<QDoubleSpinBox*>(QStringLiteral("option.order"));
  ASSERT_TRUE(box);
  EXPECT_EQ(box->text(), "auto");
  box->stepUp();
  EXPECT_EQ(box->text(), "2");
}

TEST(OptionFormTest, OffersNamesForTexts) {
  OptionInfo group = textOption("group", "Group", "A column.");
  OptionInfo covariates = wordsOption("covariates", "Covariates", "Columns.");
  group.defaultValue = covariates.defaultValue = std::string();
  OptionForm form({group, covariates});
  auto* open = form.findChild<QToolButton*>(QStringLiteral("offer.covariates"));
  ASSERT_TRUE(open);
  EXPECT_TRUE(open->isHidden()) << "there is nothing to choose";
  form.setOffers({{"group", {"sex", "site"}}, {"covariates", {"age", "total score"}}});
  EXPECT_FALSE(open->isHidden());
  EXPECT_EQ(qobject_cast<QLineEdit*>(form.editor("group"))->placeholderText(), "none of sex, site");
  QSignalSpy edited(&form, &OptionForm::edited);
  const auto choose = [&](const char* option, const char* name) {
    form.findChild<QToolButton*>(QStringLiteral("offer.") + QLatin1String(option))->click();
    auto* menu = form.findChild<QMenu*>();
    ASSERT_TRUE(menu);
    for (QAction* action : menu->actions())
      if (action->text() == QLatin1String(name)) action->trigger();
    delete menu;
  };
  choose("group", "sex");
  choose("group", "site");
  choose("covariates", "total score");
  choose("covariates", "age");
  EXPECT_EQ(std::get<std::string>(form.values().at("group")), "site");
  EXPECT_EQ(std::get<std::string>(form.values().at("covariates")), "\"total score\" age");
  choose("covariates", "total score");
  EXPECT_EQ(std::get<std::string>(form.values().at("covariates")), "age") << "chosen again, it is left out";
  choose("group", "site");
  EXPECT_EQ(std::get<std::string>(form.values().at("group")), "");
  EXPECT_EQ(edited.count(), 6);
}

TEST(OptionFormTest, ShowsRangeAndDefaultUnderTheMouse) {
  OptionInfo order = withLowest("auto", numberOption("order", "Order", "", {0, 8, 2}, "Of the function."));
  order.defaultValue = std::int64_t(0);
  OptionInfo angle = numberOption("angle", "Angle", "°", {0.5, 45, 1}, "Of two peaks.");
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
  OptionInfo wide = adjustable(numberOption("gamma", "γ", "", {-1e6, 1e6, 0.05}, "Effect."));
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
  OptionInfo level = adjustable(numberOption("level", "Level", "", {0, 1, 0.01}, "Where it begins."));
  level.defaultValue = 0.5;
  OptionForm form({level});
  form.resize(300, 200);
  form.show();
  const auto* slider = form.findChild<OptionSlider*>(QStringLiteral("slider.level"));
  EXPECT_GT(slider->width(), 280);
  EXPECT_GT(slider->y(), form.editor("level")->mapTo(&form, QPoint()).y()) << "below the number";
  EXPECT_EQ(slider->maximum(), 100) << "in its steps";
}

TEST(OptionFormTest, NamesTheResultAboveWhatMayBeChangedOnIt) {
  const auto option = [](const char* name) {
    return numberOption(name, name, "", {0, 1, 0.01}, "A number.");
  };
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
  const auto top = [&](const char* name) { return form.editor(name)->mapTo(&form, QPoint()).y(); };
  EXPECT_GT(lines[0]->y(), top("a"));
  EXPECT_LT(lines[0]->y(), top("b"));
  form.setResultName({});
  EXPECT_FALSE(lines[0]->isVisible());
}

TEST(OptionFormTest, GivesANumberASliderOverWhatIsWorthChoosing) {
  OptionInfo threshold = numberOption("threshold", "Threshold", "", {-1e9, 1e9, 0.01}, "Where it ends.");
  OptionInfo other = numberOption("other", "Other", "", {0, 1, 0.01}, "Stays as it is.");
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
  EXPECT_FALSE(form.editor("gain")->toolTip().contains(QLatin1Char('<'))) << "tool tips are plain text";
  EXPECT_EQ(form.editor("gain")->accessibleName(), "Gain");
  EXPECT_TRUE(qobject_cast<QDoubleSpinBox*>(form.editor("gain"))->suffix().endsWith("mm"));
}

TEST(OptionFormTest, MarksWhatIsNotAtItsDefaultAndGivesItBack) {
  OptionInfo shown = numberOption("shown", "Shown", "", {0, 8, 1}, "In sight.");
  shown.defaultValue = 1.0;
  OptionInfo folded = advanced(numberOption("folded", "Folded", "", {0, 8, 1}, "Out of sight."));
  folded.defaultValue = 2.0;
  OptionForm form({shown, folded});
  auto* more = form.findChild<QToolButton*>(QStringLiteral("more"));
  auto* mark = form.findChild<QToolButton*>(QStringLiteral("reset.shown"));
  ASSERT_TRUE(more && mark);
  EXPECT_TRUE(mark->isHidden());
  EXPECT_EQ(more->text(), QStringLiteral("More"));
  form.setValues({{"shown", 5.0}, {"folded", 7.0}});  // as for the previous scan
  EXPECT_FALSE(mark->isHidden());
  EXPECT_EQ(more->text(), QStringLiteral("More: Folded")) << "nothing acts unseen";
  QSignalSpy edited(&form, &OptionForm::edited);
  mark->click();
  EXPECT_EQ(form.values().at("shown"), OptionValue(1.0));
  EXPECT_TRUE(mark->isHidden());
  ASSERT_GE(edited.count(), 1);
  EXPECT_EQ(edited.last().front().toString(), QStringLiteral("shown"));
}

TEST(OptionFormTest, DisablesWhatHasNoEffect) {
  OptionInfo share = withLowest("off", numberOption("share", "Share", "", {0, 0.5, 0.01}, "Instead."));
  share.defaultValue = 0.05;
  OptionInfo level = unless("share", adjustable(numberOption("level", "Level", "", {0, 1, 0.01}, "Of it.")));
  level.defaultValue = 0.95;
  OptionForm form({share, level});
  EXPECT_FALSE(form.editor("level")->isEnabled());
  form.setValues({{"share", 0.0}});
  EXPECT_TRUE(form.editor("level")->isEnabled());
  form.findChild<QDoubleSpinBox*>(QStringLiteral("option.share"))->setValue(0.1);
  EXPECT_FALSE(form.editor("level")->isEnabled());
}

TEST(OptionFormTest, HidesWhatHasNoEffectOnTheInputs) {
  OptionForm form(describeOptions<FakeOptions>());
  const auto isHidden = [&](const char* name) { return form.editor(name)->parentWidget()->isHidden(); };
  form.setIdle({"failing"});
  EXPECT_TRUE(isHidden("failing"));
  EXPECT_FALSE(isHidden("gain"));
  form.setIdle({});
  EXPECT_FALSE(isHidden("failing"));
}

TEST(OptionFormTest, OmitsIrrelevantBounds) {
  OptionInfo threshold = numberOption("threshold", "Threshold", "", {-1e9, 1e9, 0.01}, "Of an image.");
  threshold.defaultValue = 0.5;
  OptionForm form({threshold});
  const QString tip = form.editor("threshold")->toolTip();
  EXPECT_FALSE(tip.contains(QStringLiteral("000000"))) << tip.toStdString();
  EXPECT_TRUE(tip.contains(QStringLiteral("default 0.5")));
}

TEST(OptionFormTest, HasATableOfContrastsOnceTheRegressorsAreKnown) {
  OptionInfo contrasts = textOption("contrast", "Contrasts", "Of effects.");
  contrasts.list = true;
  contrasts.defaultValue = std::string();
  OptionForm form({contrasts});
  auto* table = form.findChild<QTableWidget*>(QStringLiteral("table.contrast"));
  ASSERT_TRUE(table);
  EXPECT_TRUE(table->isHidden());
  form.setNames({"intercept", "faces", "houses"});
  EXPECT_FALSE(table->isHidden());
  EXPECT_EQ(table->columnCount(), 5) << "the contrast, the regressors, F";
  EXPECT_EQ(table->rowCount(), 1) << "room for the first";
  QSignalSpy edited(&form, &OptionForm::edited);
  table->item(0, 2)->setText(QStringLiteral("1"));
  QCoreApplication::processEvents();
  table->item(0, 3)->setText(QStringLiteral("-1"));
  QCoreApplication::processEvents();
  EXPECT_EQ(form.values().at("contrast"), OptionValue(std::string("faces - houses")));
  EXPECT_EQ(table->rowCount(), 2) << "and for another one";
  table->item(1, 0)->setText(QStringLiteral("houses"));
  QCoreApplication::processEvents();
  for (int row : {0, 1}) {
    table->item(row, 4)->setText(QStringLiteral("any"));
    QCoreApplication::processEvents();
  }
  EXPECT_EQ(form.values().at("contrast"), OptionValue(std::string("any: F(faces - houses; houses)")));
  EXPECT_GE(edited.count(), 5);
  auto* line = form.findChild<QLineEdit*>(QStringLiteral("option.contrast"));
  ASSERT_TRUE(line);
  line->setText(QStringLiteral("half: 0 0.5 0.5"));
  EXPECT_EQ(table->rowCount(), 2);
  EXPECT_EQ(table->item(0, 0)->text(), QStringLiteral("half"));
  EXPECT_EQ(table->item(0, 2)->text(), QStringLiteral("0.5"));
}

TEST(RangeHistogramTest, BarsHaveNoGapsAndTheBackgroundFlattensNone) {
  // A head in 8 bits: nine of ten voxels are air, the others are uniform from 1 to 60.
  std::vector<float> values(54000, 0.0F);
  for (int i = 0; i < 6000; ++i) values.push_back(float(1 + i % 60));
  RangeHistogram histogram;
  histogram.setValues(values);
  histogram.setMarks({{0, 60}, {}, {}});
  const std::vector<double> bars = histogram.bars(240);
  EXPECT_EQ(bars.front(), 1);
  for (std::size_t c = 0; c < bars.size(); ++c) EXPECT_GT(bars[c], 0.7) << c;
}

TEST(RangeHistogramTest, HandlesAreDragged) {
  RangeHistogram histogram;
  histogram.resize(300, 80);
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(float(i));
  histogram.setValues(values);
  histogram.setMarks({{100, 900}, std::nullopt, std::nullopt});
  QSignalSpy moved(&histogram, &RangeHistogram::moved);
  const auto drag = [&](double from, double to, int y) {
    const QPoint start(int(histogram.pixelOf(from)), y), end(int(histogram.pixelOf(to)), y);
    QTest::mousePress(&histogram, Qt::LeftButton, {}, start);
    QTest::mouseMove(&histogram, end);
    QMouseEvent move(QEvent::MouseMove, QPointF(end), QPointF(end), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&histogram, &move);
    QTest::mouseRelease(&histogram, Qt::LeftButton, {}, end);
  };
  drag(100, 300, 70);
  EXPECT_GE(moved.count(), 1);
  EXPECT_NEAR(histogram.marks().range.low, 300, 5);
  EXPECT_EQ(histogram.marks().range.high, 900);
  drag(900, 50, 70);
  EXPECT_EQ(histogram.marks().range.high, histogram.marks().range.low) << "the ends do not cross";
  histogram.setMarks({{100, 900}, 100.0, std::nullopt});
  drag(100, 500, 5);
  EXPECT_NEAR(*histogram.marks().below, 500, 5) << "above stands the threshold";
  EXPECT_EQ(histogram.marks().range.low, 100);
  const int before = int(moved.count());
  drag(700, 800, 40);
  EXPECT_EQ(moved.count(), before) << "there is no handle";
}

}  // namespace
}  // namespace sulcus::ui::widgets
