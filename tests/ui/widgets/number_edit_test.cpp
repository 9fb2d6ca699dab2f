#include "ui/widgets/number_edit.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

TEST(NumberEditTest, TakesSmallNumbersAsTheyAreTyped) {
  NumberEdit edit;
  edit.setRange(1e-9, 1);
  edit.setSuffix(QStringLiteral(" mm"));
  QSignalSpy changed(&edit, &QDoubleSpinBox::valueChanged);
  edit.show();
  edit.selectAll();
  QTest::keyClicks(&edit, QStringLiteral("2.5e-6"));
  QTest::keyClick(&edit, Qt::Key_Return);
  EXPECT_EQ(edit.value(), 2.5e-6);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_EQ(edit.text(), "2.5e-06 mm");
}

TEST(NumberEditTest, BringsNumbersOutOfRangeBackToItsEnds) {
  NumberEdit edit;
  edit.setRange(0, 10);
  edit.show();
  edit.selectAll();
  QTest::keyClicks(&edit, QStringLiteral("500"));
  QTest::keyClick(&edit, Qt::Key_Return);
  EXPECT_LE(edit.value(), 10);
}

}  // namespace
}  // namespace sulcus::ui::widgets
