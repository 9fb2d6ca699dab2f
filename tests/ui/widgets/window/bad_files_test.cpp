#include "core/io/files.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/views/view_area.h"

#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QUrl>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

// Whatever is opened in the window, it reports what is wrong and continues.
namespace sulcus::ui::widgets {
namespace {

struct BadFiles : WindowFixture {
  void SetUp() override { open(); }
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
    const QString path = folder.filePath("nothing");
    QDir().mkdir(path);
    return path;
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

  /// Waits until nothing is being opened, and all results have been delivered.
  void waitUntilOpened() {
    ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
    QApplication::processEvents();
  }
  std::vector<QMessageBox*> dialogs() {
    std::vector<QMessageBox*> open;
    for (auto* box : window->findChildren<QMessageBox*>(QStringLiteral("error")))
      if (box->isVisible()) open.push_back(box);
    return open;
  }
  /// Expects that the single open dialog lists these paths, and closes it with Escape.
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
    QApplication::sendEvent(window.get(), &enter);
    const auto* place = child<QWidget>("dropTarget");
    EXPECT_TRUE(place->property("dragged").toBool());
    QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &event);
    EXPECT_FALSE(place->property("dragged").toBool());
  }
};

TEST_F(BadFiles, AreNamedOneByOne) {
  for (const QString& path : allBad()) {
    SCOPED_TRACE(path.toStdString());
    workspace->files().open({path});
    waitUntilOpened();
    expectDialogNaming({path});
    EXPECT_TRUE(layers().empty());
  }
  workspace->files().open({goodScan("good.nii")});
  waitUntilOpened();
  EXPECT_EQ(layers().layers().size(), 1u);
}

TEST_F(BadFiles, DroppedTogetherAreListedInOneDialog) {
  const QStringList paths = allBad();
  drop(paths);
  waitUntilOpened();
  expectDialogNaming(paths);
}

TEST_F(BadFiles, LetTheGoodOneOpen) {
  add(test::volumeLayer("before"));
  const QString bad = made("text.nii.gz", "not a scan"), good = goodScan("good.nii");
  drop({bad, good});
  waitUntilOpened();
  EXPECT_EQ(layers().layers().size(), 2u);
  EXPECT_TRUE(window->views().isVisible());
  expectDialogNaming({bad});
}

TEST_F(BadFiles, AreNamedWhenChosenByTheOpenAction) {
  const QString bad = made("text.nii.gz", "not a scan");
  ASSERT_TRUE(window->trigger("file.open"));
  auto* dialog = window->findChild<QFileDialog*>();
  ASSERT_TRUE(dialog);
  emit dialog->filesSelected({bad});
  dialog->close();
  waitUntilOpened();
  expectDialogNaming({bad});
}

TEST_F(BadFiles, ThatCannotBeTheInputTheyWereOpenedForAreNamed) {
  analyses.front().inputs.front().accepts = [](const Layer&) { return false; };
  open();
  auto* panel = window->findChild<AnalysisPanel*>();
  ASSERT_TRUE(panel);

  emit panel->filesDropped(QString::fromStdString(analyses.front().inputs.front().name),
                           {goodScan("four.nii")});

  ASSERT_TRUE(waitFor([&] { return child<QMessageBox>("error"); }));
  const QString text = child<QMessageBox>("error")->text();
  EXPECT_TRUE(text.contains("'four' was opened and not taken for")) << qPrintable(text);
  EXPECT_EQ(layers().layers().size(), 1u);
}

TEST_F(BadFiles, FoldersThatAreNoneAreNotRemembered) {
  const model::LayerId id = add(test::volumeLayer("one"));
  layers().setCurrent(id);
  ASSERT_TRUE(window->trigger("file.save"));
  auto* dialog = window->findChild<QFileDialog*>();
  ASSERT_TRUE(dialog);
  emit dialog->fileSelected("/nowhere/at/all/a.nii.gz");
  dialog->close();
  waitUntilOpened();
  EXPECT_FALSE(settings.contains("saveFolder"));
}

TEST_F(BadFiles, InGreatNumberFitOnTheScreen) {
  QStringList paths;
  for (int i = 0; i < 100; ++i) paths << folder.filePath(QStringLiteral("missing%1.nii").arg(i));
  workspace->files().open(paths);
  waitUntilOpened();
  ASSERT_EQ(dialogs().size(), 1u);
  EXPECT_TRUE(dialogs().front()->text().contains("and 92 more"));
  EXPECT_LT(dialogs().front()->height(), 900);
}

TEST_F(BadFiles, SayTheSameOnlyOnce) {
  const QString missing = folder.filePath("missing.nii");
  workspace->files().open({missing, missing});
  waitUntilOpened();
  ASSERT_EQ(dialogs().size(), 1u);
  EXPECT_EQ(dialogs().front()->text().count("There is no file"), 1);
}

}  // namespace
}  // namespace sulcus::ui::widgets
