#include "core/io/files.h"
#include "tests/ui/fake_analysis.h"
#include "ui/widgets/analysis_panel.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/view_area.h"

#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

// Whatever is opened in the window, it says what is wrong with it and lives on.
namespace sulcus::ui {
namespace {

constexpr int kWait = 60000;  ///< ms; only a failure waits that long

struct BadFiles : testing::Test {
  QTemporaryDir folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses{test::fakeAnalysis()};
  MainWindow window{analyses, [] { return DeviceReport{{}, "no CUDA driver"}; }, settings};

  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window, kWait));
  }
  QString made(const char* name, const QByteArray& bytes) {
    QFile file(folder.filePath(QLatin1String(name)));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    return file.fileName();
  }
  QString goodScan(const char* name) {
    const QString file = folder.filePath(QLatin1String(name));
    io::saveLayer(test::volumeLayer("image"), file.toStdString());
    return file;
  }
  QString cutScan() {
    QFile whole(goodScan("whole.nii.gz"));
    EXPECT_TRUE(whole.open(QIODevice::ReadOnly));
    return made("cut.nii.gz", whole.read(whole.size() / 2));
  }
  QString pipe() {
    const QString path = folder.filePath("pipe.nii");
    EXPECT_EQ(mkfifo(path.toUtf8().constData(), 0600), 0);
    return path;
  }
  QString loop() {
    const QString path = folder.filePath("loop.nii");
    EXPECT_EQ(symlink(path.toUtf8().constData(), path.toUtf8().constData()), 0);
    return path;
  }
  QString emptyFolder() {
    QDir(folder.path()).mkdir("nothing");
    return folder.filePath("nothing");
  }
  QStringList allBad() {
    return {folder.filePath("missing.nii"),
            made("empty.nii", ""),
            made("text.nii.gz", "not a scan, but\ntext"),
            cutScan(),
            emptyFolder(),
            pipe(),
            loop(),
            "/dev/zero"};
  }

  /// Once nothing is being opened, and what came of it has been delivered.
  void waitUntilOpened() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return window.files().pending() == 0; }, kWait));
    QApplication::processEvents();
  }
  std::vector<QMessageBox*> dialogs() {
    std::vector<QMessageBox*> open;
    for (auto* box : window.findChildren<QMessageBox*>(QStringLiteral("error")))
      if (box->isVisible()) open.push_back(box);
    return open;
  }
  /// The one dialog that is open says these, and Escape closes it.
  void expectDialogNaming(const QStringList& paths) {
    ASSERT_EQ(dialogs().size(), 1u);
    QMessageBox* box = dialogs().front();
    for (const QString& path : paths)
      EXPECT_TRUE(box->text().contains(QFileInfo(path).fileName())) << qPrintable(box->text());
    for (const QString& sentence : box->text().split(QStringLiteral("\n\n")))
      EXPECT_TRUE(sentence.contains(QStringLiteral(" (")) && sentence.contains(QStringLiteral("): ")))
          << qPrintable(sentence);
    QTest::keyClick(box, Qt::Key_Escape);
    EXPECT_TRUE(dialogs().empty());
  }
  void drop(const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
  }
};

TEST_F(BadFiles, AreNamedOneByOne) {
  for (const QString& path : allBad()) {
    SCOPED_TRACE(path.toStdString());
    window.openFiles({path});
    waitUntilOpened();
    expectDialogNaming({path});
    EXPECT_TRUE(window.layers().empty());
  }
  window.openFiles({goodScan("good.nii")});
  waitUntilOpened();
  EXPECT_EQ(window.layers().layers().size(), 1u);
}

TEST_F(BadFiles, DroppedTogetherAreListedInOneDialog) {
  const QStringList paths = allBad();
  drop(paths);
  waitUntilOpened();
  expectDialogNaming(paths);
}

TEST_F(BadFiles, LetTheGoodOneOpen) {
  window.layers().add(test::shared(test::volumeLayer("before")));
  const QString bad = made("text.nii.gz", "not a scan"), good = goodScan("good.nii");
  drop({bad, good});
  waitUntilOpened();
  EXPECT_EQ(window.layers().layers().size(), 2u);
  EXPECT_TRUE(window.views().isVisible());
  expectDialogNaming({bad});
}

TEST_F(BadFiles, AreNamedWhenChosenByTheOpenAction) {
  const QString bad = made("text.nii.gz", "not a scan");
  ASSERT_TRUE(window.trigger("file.open"));
  auto* dialog = window.findChild<QFileDialog*>();
  ASSERT_TRUE(dialog);
  emit dialog->filesSelected({bad});
  dialog->close();
  waitUntilOpened();
  expectDialogNaming({bad});
}

TEST_F(BadFiles, ThatCannotBeTheInputTheyWereOpenedForAreNamed) {
  analyses.front().inputs.front().accepts = [](const Layer&) { return false; };
  MainWindow picky(
      analyses,
      [] {
        return DeviceReport{{}, "no CUDA driver"};
      },
      settings);
  picky.show();
  auto* panel = picky.findChild<AnalysisPanel*>();
  ASSERT_TRUE(panel);

  emit panel->filesDropped(QString::fromStdString(analyses.front().inputs.front().name),
                           {goodScan("four.nii")});

  ASSERT_TRUE(QTest::qWaitFor([&] { return picky.findChild<QMessageBox*>(QStringLiteral("error")); }, kWait));
  const QString text = picky.findChild<QMessageBox*>(QStringLiteral("error"))->text();
  EXPECT_TRUE(text.contains("'four' was opened and not taken for")) << qPrintable(text);
  EXPECT_EQ(picky.layers().layers().size(), 1u);
}

TEST_F(BadFiles, FoldersThatAreNoneAreNotRemembered) {
  const LayerId id = window.layers().add(test::shared(test::volumeLayer("one")));
  window.layers().setCurrent(id);
  ASSERT_TRUE(window.trigger("file.save"));
  auto* dialog = window.findChild<QFileDialog*>();
  ASSERT_TRUE(dialog);
  emit dialog->fileSelected("/nowhere/at/all/a.nii.gz");
  dialog->close();
  waitUntilOpened();
  EXPECT_FALSE(settings.contains("saveFolder"));
}

TEST_F(BadFiles, InGreatNumberFitOnTheScreen) {
  QStringList paths;
  for (int i = 0; i < 100; ++i) paths << folder.filePath(QStringLiteral("missing%1.nii").arg(i));
  window.openFiles(paths);
  waitUntilOpened();
  ASSERT_EQ(dialogs().size(), 1u);
  EXPECT_TRUE(dialogs().front()->text().contains("and 92 more"));
  EXPECT_LT(dialogs().front()->height(), 900);
}

TEST_F(BadFiles, SayTheSameOnlyOnce) {
  const QString missing = folder.filePath("missing.nii");
  window.openFiles({missing, missing});
  waitUntilOpened();
  ASSERT_EQ(dialogs().size(), 1u);
  EXPECT_EQ(dialogs().front()->text().count("There is no file"), 1);
}

}  // namespace
}  // namespace sulcus::ui
