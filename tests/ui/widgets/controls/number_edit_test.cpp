#include "ui/widgets/controls/number_edit.h"

#include <QHelpEvent>
#include <QLineEdit>
#include <QLocale>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

/// Types into a field and ends with Return.
void type(QAbstractSpinBox& field, const QString& text) {
  field.show();
  field.selectAll();
  QTest::keyClicks(&field, text);
  QTest::keyClick(&field, Qt::Key_Return);
}

QString shownIn(const QAbstractSpinBox& field) { return field.findChild<QLineEdit*>()->text(); }

TEST(NumberEdit, TakesAPointOrACommaAndShowsAPointInEveryLocale) {
  for (const QLocale& locale : {QLocale::c(), QLocale(QLocale::German, QLocale::Germany)}) {
    NumberEdit field;
    field.setLocale(locale);
    field.setRange(0, 10);
    for (const char* typed : {"0,5", "0.5", ".5", "5e-1"}) {
      field.setValue(1);
      type(field, QLatin1String(typed));
      EXPECT_EQ(field.value(), 0.5) << typed << ' ' << locale.name().toStdString();
      EXPECT_EQ(shownIn(field), "0.5") << typed << ' ' << locale.name().toStdString();
    }
  }
}

TEST(NumberEdit, ShowsFourDigitsAndKeepsAllOfThem) {
  QWidget window;  // one of whose fields has the keyboard focus
  NumberEdit field(&window), other(&window);
  field.setRange(-1e6, 1e6);
  window.show();
  window.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  other.setFocus();
  const double share = 5.0 / 255, rounded = double(0.1f);
  for (const auto& [value, text] :
       {std::pair{share, "0.01961"}, {12345.5, "12345.5"}, {-3.0, "-3"}, {rounded, "0.1"}}) {
    field.setValue(value);
    QSignalSpy changed(&field, &QDoubleSpinBox::valueChanged);
    EXPECT_EQ(shownIn(field), text);
    QTest::keyClick(&field, Qt::Key_Return);
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_Return);
    other.setFocus();
    EXPECT_EQ(shownIn(field), text);
    EXPECT_EQ(field.value(), value);
    EXPECT_EQ(changed.count(), 0) << text;
  }
  field.setValue(share);
  field.setFocus();
  EXPECT_EQ(shownIn(field).toDouble(), share) << "all digits where they are edited";
  field.selectAll();
  QTest::keyClicks(&field, "0.01961");
  other.setFocus();
  EXPECT_EQ(field.value(), 0.01961) << "typed, though it was what the field had shown";
}

TEST(NumberEdit, ShowsAsManyDigitsAsThereIsRoomForAndAllUnderTheMouse) {
  QWidget window;
  NumberEdit field(&window);
  field.setRange(-1e6, 1e6);
  field.setButtonSymbols(QAbstractSpinBox::NoButtons);
  window.show();
  const auto* line = field.findChild<QLineEdit*>();
  const auto fits = [&] { return line->fontMetrics().horizontalAdvance(line->text()) < line->width(); };
  for (const auto& [value, most, least, exact] : {std::tuple{-1234.567, "-1234.57", u"-1…e3", "-1234.567"},
                                                  {1.2345e-05, "1.234e-05", u"1…e-5", "1.2345e-05"},
                                                  {-98765.125, "-98765.1", u"-9…e4", "-98765.125"},
                                                  {0.5, "0.5", u"0.5", "0.5"}}) {
    for (const int width : {200, 80, 66, field.minimumSizeHint().width(), 80, 200}) {
      field.resize(width, 24);
      field.setValue(value);
      QSignalSpy changed(&field, &QDoubleSpinBox::valueChanged);
      EXPECT_TRUE(fits()) << line->text().toStdString() << " in " << width;
      const QString digits = line->text();
      const bool cut = digits.contains(QChar(0x2026));
      if (cut)
        EXPECT_TRUE(QString(most).startsWith(digits.left(digits.indexOf(QChar(0x2026)))));
      else
        EXPECT_NEAR(digits.toDouble(), value, 0.005 * std::abs(value)) << "without a sign three digits hold";
      field.interpretText();
      EXPECT_EQ(field.value(), value);
      EXPECT_EQ(changed.count(), 0);
    }
    EXPECT_EQ(line->text(), most);
    field.resize(30, 24);
    field.setValue(value);
    EXPECT_EQ(line->text(), QString::fromUtf16(least));
    field.interpretText();
    EXPECT_EQ(field.value(), value);
    if (QString(most) == exact) continue;
    field.setToolTip("help");
    QHelpEvent asked(QEvent::ToolTip, QPoint(), QPoint());
    QCoreApplication::sendEvent(&field, &asked);
    EXPECT_EQ(QToolTip::text(), QString(exact) + "\nhelp");
  }
}

TEST(NumberEdit, RefusesWhatLiesBeyondAndWhatIsNoNumber) {
  NumberEdit field;
  field.setRange(0, 10);
  field.setValue(1);
  QSignalSpy refused(&field, &NumberEdit::refused);
  type(field, "10,5");
  EXPECT_EQ(field.value(), 1);
  ASSERT_EQ(refused.count(), 1);
  EXPECT_EQ(refused.front().front().toString(), "10.5");
  type(field, "1.000,5");
  EXPECT_EQ(field.value(), 1);
  EXPECT_EQ(shownIn(field), "1");
}

TEST(WholeEdit, TakesNoPartsOfANumber) {
  WholeEdit field;
  field.setRange(0, 100);
  field.setValue(7);
  QSignalSpy refused(&field, &WholeEdit::refused);
  for (const char* typed : {"1,5", "1.5"}) {
    type(field, QLatin1String(typed));
    EXPECT_EQ(field.value(), 7) << typed << ": neither 1 nor 15";
  }
  EXPECT_EQ(refused.count(), 2);
  type(field, "12");
  EXPECT_EQ(field.value(), 12);
}

TEST(WholeEdit, HoldsLabelsOfMoreThan32Bits) {
  WholeEdit field;
  field.setRange(0, WholeEdit::kLargest);
  for (const std::int64_t label :
       {std::int64_t(312782546), std::int64_t(2147483649), std::int64_t(9007199254740991)}) {
    type(field, QString::number(label));
    EXPECT_EQ(field.value(), label);
    EXPECT_EQ(shownIn(field), QString::number(label));
  }
}

TEST(WholeEdit, TakesPowersOfTenAndDropsNoKey) {
  WholeEdit field;
  field.setRange(0, 100'000);
  type(field, "1e4");
  EXPECT_EQ(field.value(), 10'000);
  for (const char* typed : {"1e30", "7x", "1e-1"}) {
    type(field, QLatin1String(typed));
    EXPECT_EQ(field.value(), 10'000) << typed;
    EXPECT_EQ(shownIn(field), "10000") << typed;
  }
}

template <class Field>
struct FieldWithAWord : testing::Test {};
using Fields = testing::Types<NumberEdit, WholeEdit>;
TYPED_TEST_SUITE(FieldWithAWord, Fields);

TYPED_TEST(FieldWithAWord, TakesTheWordForItsLeastNumber) {
  TypeParam field;
  field.setRange(0, 10);
  field.setSpecialValueText("auto");
  type(field, "5");
  EXPECT_EQ(field.value(), 5);
  type(field, "auto");
  EXPECT_EQ(field.value(), 0);
  EXPECT_EQ(shownIn(field), "auto");
}

}  // namespace
}  // namespace sulcus::ui::widgets
