#include "ui/widgets/controls/label.h"

#include "tests/support/temporary_folder.h"

#include <QApplication>
#include <QImage>
#include <QToolTip>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

/// Text that Qt would interpret as HTML and draw as a picture of 300 pixels.
QString hostileText(const test::TemporaryFolder& folder) {
  const QString picture = QString::fromStdString((folder / "p.png").string());
  QImage(300, 300, QImage::Format_RGB32).save(picture);
  return QStringLiteral("<img src='%1'>").arg(picture);
}

TEST(Label, ShowsTextAsItIs) {
  const test::TemporaryFolder folder;
  const QString text = hostileText(folder);
  EXPECT_GT(QLabel(text).sizeHint().height(), 200) << "or the text is not hostile";
  Label label(text);
  EXPECT_LT(label.sizeHint().height(), 100);
  label.setText(text + text);
  EXPECT_LT(label.sizeHint().height(), 100);
}

TEST(InShortLines, FoldsParagraphsBetweenWords) {
  const QString folded = inShortLines(QStringLiteral("word ").repeated(40) + "\nSecond");
  for (const QString& line : folded.split('\n')) EXPECT_LE(line.size(), 64);
  EXPECT_EQ(QString(folded).replace('\n', ' '), QStringLiteral("word ").repeated(40) + "Second");
  EXPECT_TRUE(folded.endsWith("\nSecond"));
}

TEST(PlainToolTips, ShowTextAsItIs) {
  const test::TemporaryFolder folder;
  QWidget window;
  const PlainToolTips plain(&window);
  QToolTip::showText({10, 10}, hostileText(folder), &window);
  const QLabel* tip = nullptr;
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (widget->inherits("QTipLabel")) tip = static_cast<QLabel*>(widget);
  ASSERT_TRUE(tip);
  EXPECT_LT(tip->sizeHint().height(), 100);
  QToolTip::hideText();
}

}  // namespace
}  // namespace sulcus::ui::widgets
