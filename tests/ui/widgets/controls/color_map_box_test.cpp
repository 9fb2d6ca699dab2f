#include "ui/widgets/controls/color_map_box.h"

#include "tests/ui/qt_folder.h"

#include <QCheckBox>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

class ColorMapBoxTest : public testing::Test {
 protected:
  ColorMapBoxTest() {
    QObject::connect(&box, &ColorMapBox::chosen, &box, [this](const std::string& map) { chosen = map; });
    box.setMap("gray");
    box.QWidget::show();
  }
  /// "From a file…" or "Own colors…"
  void ask(const QString& words) { box.setCurrentIndex(box.findText(words)); }
  /// Opens a file with this text as if it was chosen in the dialog.
  void openFile(const QByteArray& text) {
    QFile file(folder.filePath("map.cmap"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    ask("From a file…");
    auto* dialog = box.findChild<QFileDialog*>("colorMapFile");
    ASSERT_TRUE(dialog);
    emit dialog->fileSelected(file.fileName());
    dialog->close();
  }
  test::QtFolder folder;
  ColorMapBox box;
  std::string chosen;
};

TEST_F(ColorMapBoxTest, TellsWhatIsChosenAndNotWhatIsShown) {
  EXPECT_EQ(chosen, "");
  box.setCurrentText("viridis");
  EXPECT_EQ(chosen, "viridis");
  chosen.clear();
  box.setMap("#000000 #ff0000");
  EXPECT_EQ(box.currentText(), "own");
  box.setMap("hot");
  EXPECT_EQ(box.currentText(), "hot");
  EXPECT_EQ(chosen, "");
}

TEST_F(ColorMapBoxTest, MakesAMapOfColorsThatArePicked) {
  ask("Own colors…");
  EXPECT_EQ(box.currentText(), "gray") << "until something is chosen";
  auto* dialog = box.findChild<QDialog*>("ownColors");
  ASSERT_TRUE(dialog);
  dialog->findChild<QPushButton*>("highColor")->setProperty("color", QColor(255, 128, 0));
  dialog->findChild<QCheckBox*>("withMiddle")->setChecked(false);
  dialog->findChild<QCheckBox*>("clearLow")->setChecked(true);
  dialog->accept();
  EXPECT_EQ(chosen, "#00000000 #ff8000");
  EXPECT_EQ(box.currentText(), "own");
}

TEST_F(ColorMapBoxTest, OpensAFileAndKeepsTheMapWhereItIsNone) {
  openFile("0 0 0\n1 0.5 0\n");
  EXPECT_EQ(chosen, "#000000 #ff8000");
  chosen.clear();
  openFile("no colors\n");
  EXPECT_EQ(chosen, "");
  const auto boxes = box.findChildren<QMessageBox*>();
  ASSERT_EQ(boxes.size(), 1);
  EXPECT_TRUE(boxes.front()->text().contains("is not a color map")) << boxes.front()->text().toStdString();
}

}  // namespace
}  // namespace sulcus::ui::widgets
