// Sessions in the whole window: a sequence of keys and clicks, the same pixels afterwards, questions before
// closing.
#include "core/io/files.h"
#include "tests/ui/rich_analysis.h"
#include "tests/ui/turn_meter.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <filesystem>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::oneDevice;
using test::volumeLayer;

struct SessionWindow : WindowFixture {
  SessionWindow() : WindowFixture({test::richAnalysis(), test::fakeAnalysis()}) {}
  const QString file = folder.filePath("study.sulcus");

  model::Session& session() { return workspace->session(); }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    ASSERT_TRUE(waitForFocus(*window));
    QTest::keyClick(window.get(), key, modifiers);
  }
  bool waitForFiles() {
    return waitFor([this] { return workspace->files().pending() == 0; }) && waitUntilIdle();
  }
  /// Enters a file name in the open dialog.
  void choose(const QString& path) {
    auto* dialog = window->findChildren<QFileDialog*>().back();
    emit dialog->fileSelected(path);
    dialog->close();
    ASSERT_TRUE(waitForFiles());
    ASSERT_TRUE(waitFor([this] { return window->findChildren<QFileDialog*>().empty(); }));
  }
  void answer(const char* button) {
    auto* box = child<QMessageBox>("question");
    ASSERT_TRUE(box);
    QTest::mouseClick(*button ? box->findChild<QPushButton*>(button) : box->button(QMessageBox::Cancel),
                      Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return !child<QMessageBox>("question"); }));
  }
  /// Saves a session with one.nii and two.nii, closes it and removes the first.
  void saveWithAScanThatIsGone() {
    for (const char* name : {"one", "two"})
      io::saveLayer(volumeLayer(name), folder.filePath(QString(name) + ".nii").toStdString());
    open();
    window->openFiles({folder.filePath("one.nii"), folder.filePath("two.nii")});
    ASSERT_TRUE(waitForFiles());
    session().save(file);
    ASSERT_TRUE(waitForFiles());
    session().close();
    ASSERT_TRUE(QFile::remove(folder.filePath("one.nii")));
  }
  QImage views() {
    EXPECT_TRUE(waitUntilDrawn());
    window->views().finishDrawing();
    return window->views().screenshot(1);
  }
};

TEST_F(SessionWindow, ShowsTheSamePixelsAgain) {
  open(oneDevice());
  window->resize(1200, 800);
  Layer image = volumeLayer("image", {20, 24, 28});
  add(std::move(image));
  run("run.both");
  ASSERT_TRUE(window->trigger("view.grid"));
  layers().setCurrent(named("map (CPU)")->id);
  auto* opacity = child<QSlider>("opacity");
  QTest::mouseClick(opacity, Qt::LeftButton, {}, QPoint(opacity->width() / 3, opacity->height() / 2));
  child<QComboBox>("colormap")->setCurrentText("viridis");
  view().setCrosshair({7.5, 9, 11.25});
  view().setExtent(31);
  SharedCamera::of(view())->setPose({{80, -60, 50}, {10, 12, 14}, {0, 0, 1}});
  const QImage grid = views();
  ASSERT_TRUE(window->trigger("view.compare"));
  const QImage compare = views();
  ASSERT_TRUE(window->trigger("view.grid"));
  EXPECT_EQ(window->windowTitle(), "Unsaved session[*] – Sulcus");
  EXPECT_TRUE(window->isWindowModified());
  key(Qt::Key_S, Qt::ControlModifier);
  choose(file);
  EXPECT_EQ(window->windowTitle(), "study.sulcus[*] – Sulcus");
  EXPECT_FALSE(window->isWindowModified());
  window->close();
  EXPECT_FALSE(window->isVisible()) << "nothing is lost";

  open(oneDevice());
  window->resize(1200, 800);
  window->openFiles({file});
  ASSERT_TRUE(waitForFiles());
  keep("session_opened");
  EXPECT_EQ(views(), grid);
  EXPECT_FALSE(window->isWindowModified());
  ASSERT_TRUE(window->trigger("view.compare"));
  EXPECT_EQ(views(), compare);
}

TEST_F(SessionWindow, RecordsWhereAFileIsThatWasNamedFromTheFolderOfThatMoment) {
  open();
  const QString file = folder.filePath("scan.nii");
  io::saveLayer(volumeLayer("scan"), file.toStdString());
  window->openFiles({QDir::current().relativeFilePath(file)});
  ASSERT_TRUE(waitForFiles());
  ASSERT_TRUE(named("scan"));
  EXPECT_EQ(named("scan")->layer->source, file.toStdString());
}

TEST_F(SessionWindow, AnswersWhileFortyLayersAreSaved) {
  open();
  for (int i = 0; i < 40; ++i) {
    Layer layer = volumeLayer("map " + std::to_string(i), {48, 48, 48});
    layer.display.visible = i == 0;
    layers().add(std::make_shared<const Layer>(std::move(layer)), model::Origin::computed);
  }
  ASSERT_TRUE(waitUntilDrawn());
  TurnMeter meter;
  session().save(file);
  EXPECT_GT(workspace->files().pending(), 0) << "the window goes on";
  ASSERT_TRUE(waitForFiles());
  EXPECT_EQ(meter.longTurns(), 0) << "the longest took " << meter.longest() << " ms";
  EXPECT_FALSE(session().modified());
  RecordProperty("longestTurn", std::to_string(meter.longest()));
}

TEST_F(SessionWindow, TakesBackADragAndARemovalByKeys) {
  open();
  add(volumeLayer("image"));
  layers().setCurrent(named("image")->id);
  ASSERT_TRUE(waitFor([this] { return session().undoText() == "opening of image"; }));
  auto* opacity = child<QSlider>("opacity");
  const QPoint handle(opacity->width() - 8, opacity->height() / 2);
  QTest::mousePress(opacity, Qt::LeftButton, {}, handle);
  for (int x = handle.x(); x > handle.x() / 2; x -= 4) QTest::mouseMove(opacity, QPoint(x, handle.y()));
  QTest::mouseRelease(opacity, Qt::LeftButton, {}, QPoint(handle.x() / 2, handle.y()));
  ASSERT_TRUE(waitFor([this] { return session().undoText() == "display of image"; }));
  const double dragged = named("image")->display.opacity;
  EXPECT_LT(dragged, 1);
  ASSERT_TRUE(window->trigger("layer.remove"));
  EXPECT_TRUE(layers().empty());
  key(Qt::Key_Z, Qt::ControlModifier);
  ASSERT_TRUE(named("image"));
  EXPECT_EQ(named("image")->display.opacity, dragged);
  key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(named("image")->display.opacity, 1) << "one drag is one step";
  EXPECT_EQ(opacity->value(), 100);
  key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(named("image")->display.opacity, dragged);
}

TEST_F(SessionWindow, OffersToRunAgainWhereTheOpenedResultHasNoPlots) {
  open();
  add(volumeLayer("image"));
  run("run.cpu");
  session().save(file);
  ASSERT_TRUE(waitForFiles());
  open();
  window->openFiles({file});
  ASSERT_TRUE(waitForFiles());
  ASSERT_TRUE(workspace->runs().runs().front()->stored);
  window->bottom().open(&window->plotsPanel());
  auto* again = child<QToolButton>("plotsAgain");
  ASSERT_TRUE(again->isVisible());
  QTest::mouseClick(again, Qt::LeftButton);
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_FALSE(workspace->runs().runs().front()->stored);
  EXPECT_FALSE(again->isVisible());
}

TEST_F(SessionWindow, RemovesAPaintedLayerWithoutAQuestionAndOffersToBringItBack) {
  open();
  add(volumeLayer("image"));
  workspace->editing().regions.addBall(workspace->view().crosshair(), 2);
  ASSERT_TRUE(named("regions"));
  layers().setCurrent(named("regions")->id);
  const LayerPtr painted = named("regions")->layer;
  ASSERT_TRUE(window->trigger("layer.remove"));
  EXPECT_FALSE(child<QMessageBox>("question"));
  EXPECT_FALSE(named("regions"));
  auto* undo = child<QToolButton>("undoRemoval");
  EXPECT_TRUE(undo->isVisible());
  EXPECT_EQ(child<QLabel>("note")->text(), "removed regions");
  QTest::mouseClick(undo, Qt::LeftButton);
  ASSERT_TRUE(named("regions"));
  EXPECT_EQ(named("regions")->layer, painted);
  EXPECT_FALSE(undo->isVisible());
}

TEST_F(SessionWindow, AsksBeforeAChangedSessionGoes) {
  open();
  add(volumeLayer("image"));
  run("run.cpu");
  window->close();
  ASSERT_TRUE(child<QMessageBox>("question"));
  answer("saveFirst");
  choose(file);
  EXPECT_FALSE(window->isVisible()) << "saved, then closed";
  open();
  window->openFiles({file});
  ASSERT_TRUE(waitForFiles());
  EXPECT_EQ(layers().layers().size(), 3u);
  layers().rename(named("image")->id, "other");
  ASSERT_TRUE(window->trigger("file.closeAll"));
  EXPECT_TRUE(child<QMessageBox>("question")->text().startsWith("Changes since study.sulcus was saved."));
  answer("");
  EXPECT_EQ(layers().layers().size(), 3u);
  ASSERT_TRUE(window->trigger("file.closeAll"));
  answer("agree");
  EXPECT_TRUE(layers().empty());
  EXPECT_EQ(window->windowTitle(), "Sulcus");
}

TEST_F(SessionWindow, OpensScansTogetherWithTheSessionGivenWithThem) {
  const QString given = folder.filePath("given.nii");
  io::saveLayer(volumeLayer("given"), given.toStdString());
  saveWithAScanThatIsGone();
  for (const char* button : {"", "rest"}) {
    window->openFiles({given, file});
    ASSERT_TRUE(waitForFiles());
    answer(button);
    ASSERT_TRUE(waitForFiles());
    EXPECT_TRUE(named("given")) << button;
    EXPECT_EQ(layers().layers().size(), *button ? 2u : 1u);
    session().close();
  }
  ASSERT_TRUE(QFile::resize(file, 100));
  window->openFiles({given, file});
  ASSERT_TRUE(waitForFiles());
  EXPECT_TRUE(named("given")) << "though the session is damaged";
}

/// Windows that are killed leave their sessions in `parent`.
struct KilledWindow : SessionWindow {
  const std::filesystem::path parent = folder.filePath("autosaved").toStdString();
  const std::filesystem::path kept = folder.filePath("kept").toStdString();

  /// Keeps what a window with these files has saved.
  void openAndKeep(const QString& path) {
    std::filesystem::create_directories(parent);
    open();
    session().autosaveIn(parent);
    window->openFiles({path});
    ASSERT_TRUE(waitForFiles());
    session().autosave();
    ASSERT_TRUE(waitFor([&] { return !std::filesystem::is_empty(parent); }) && waitForFiles());
    const std::filesystem::path left = std::filesystem::directory_iterator(parent)->path();
    ASSERT_TRUE(waitFor([&] { return std::filesystem::exists(left / "session.sulcus"); }));
    std::filesystem::copy(left, kept, std::filesystem::copy_options::recursive);
  }
  /// Starts another window, which offers to restore it.
  void start(const QString& path) {
    open();
    std::filesystem::copy(kept, parent / "killed", std::filesystem::copy_options::recursive);
    session().autosaveIn(parent);
    window->start({path});
  }
};

TEST_F(KilledWindow, ShowsAScanOnceThatAStudyHasToo) {
  const QString study = folder.filePath("study"), scan = study + "/sub-01/anat/sub-01_T1w.nii";
  std::filesystem::create_directories(QFileInfo(scan).path().toStdString());
  io::saveLayer(volumeLayer("one"), scan.toStdString());
  io::writeFile((study + "/dataset_description.json").toStdString(),
                R"({"Name": "s", "BIDSVersion": "1.8.0"})");
  openAndKeep(scan);
  start(study);
  answer("recover");
  ASSERT_TRUE(waitFor([&] { return workspace->study().isOpen(); }) && waitForFiles());
  EXPECT_EQ(layers().layers().size(), 1u);
}

TEST_F(KilledWindow, OpensScansInAdditionToWhatItHad) {
  for (const char* name : {"one", "given"})
    io::saveLayer(volumeLayer(name), folder.filePath(QString(name) + ".nii").toStdString());
  openAndKeep(folder.filePath("one.nii"));
  for (const char* button : {"", "recover"}) {
    start(folder.filePath("given.nii"));
    ASSERT_TRUE(waitForFiles());
    EXPECT_TRUE(layers().empty()) << "until the answer";
    answer(button);
    ASSERT_TRUE(waitForFiles());
    EXPECT_TRUE(named("given"));
    EXPECT_EQ(bool(named("one")), bool(*button));
    window.reset(), workspace.reset();
    std::filesystem::remove_all(parent / "killed");
  }
}

TEST_F(SessionWindow, ListsMissingFilesInOneDialog) {
  saveWithAScanThatIsGone();
  window->openFiles({file});
  ASSERT_TRUE(waitForFiles());
  ASSERT_TRUE(child<QMessageBox>("question"));
  EXPECT_TRUE(child<QMessageBox>("question")->text().contains("one.nii"));
  keep("session_missing");
  answer("rest");
  ASSERT_TRUE(waitForFiles());
  EXPECT_TRUE(named("two"));
  EXPECT_FALSE(named("one"));
}

}  // namespace
}  // namespace sulcus::ui::widgets
