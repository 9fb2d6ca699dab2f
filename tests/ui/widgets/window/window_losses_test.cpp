#include "core/io/files.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/view_area.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

// Nothing is lost or left behind without a message.
namespace sulcus::ui::widgets {
namespace {

using test::oneDevice;
using test::volumeLayer;

struct WindowLosses : WindowFixture {
  void click(const char* name) {
    auto* button = child<QPushButton>(name);
    ASSERT_TRUE(button) << name;
    QTest::mouseClick(button, Qt::LeftButton);
  }
};

TEST_F(WindowLosses, ClosesAComparisonWithOneOfItsRuns) {
  open(oneDevice());
  add(volumeLayer("image"));
  click("run.both");
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_TRUE(window->trigger("view.compare"));
  EXPECT_TRUE(child<QToolButton>("saveCsv")->isEnabled());
  const std::vector<model::LayerId> closed = workspace->runs().runs().front()->layers;
  for (const model::LayerId id : closed) layers().remove(id);
  EXPECT_EQ(window->comparePanel().table()->model()->rowCount(), 0);
  EXPECT_FALSE(child<QToolButton>("saveCsv")->isEnabled());
  EXPECT_TRUE(child<QLabel>("summary")->text().startsWith("No comparison yet"));
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::grid);
  EXPECT_FALSE(window->trigger("compare.saveCsv"));
}

TEST_F(WindowLosses, ReleasesWhatWasClosedInHiddenViews) {
  open(oneDevice());
  std::vector<std::weak_ptr<const void>> held;
  {
    const auto image = test::shared(volumeLayer("image"));
    held.emplace_back(std::get<VolumeLayer>(image->content).series);
    layers().add(image);
  }
  click("run.both");
  ASSERT_TRUE(waitUntilIdle());
  for (const model::LayerState& state : layers().layers()) held.emplace_back(state.layer);
  for (const ViewLayout layout :
       {ViewLayout::compare, ViewLayout::lightbox, ViewLayout::scene, ViewLayout::grid, ViewLayout::axial}) {
    window->views().setLayoutShown(layout);
    window->views().comparePage().setIn3d(layout == ViewLayout::lightbox);
    ASSERT_TRUE(waitUntilDrawn());
  }
  workspace->session().close();
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_TRUE(waitFor([&] {  // a finished job is removed by the next event
    return std::ranges::all_of(held, [](const auto& one) { return one.expired(); });
  }));
}

TEST_F(WindowLosses, ShowsNoImageThatAnotherHasReplacedForAMoment) {
  open();
  const model::LayerId id = layers().add(test::shared(volumeLayer("first")));
  window->views().setLayoutShown(ViewLayout::lightbox);
  ASSERT_TRUE(waitUntilDrawn());
  window->views().setLayoutShown(ViewLayout::grid);
  ASSERT_TRUE(waitUntilDrawn());
  const auto unseenPictures = [this] {  // as painted before the next drawing
    int pictures = 0;
    for (Canvas* canvas : window->findChildren<Canvas*>()) {
      if (canvas->isVisible()) continue;
      const QImage painted = canvas->grab().toImage();
      pictures += painted != painted.scaled(1, 1).scaled(painted.size());
    }
    return pictures;
  };
  EXPECT_GT(unseenPictures(), 0);
  layers().replaceContent(id, test::shared(volumeLayer("second")));
  EXPECT_EQ(unseenPictures(), 0);
}

TEST_F(WindowLosses, BeginsToSaveWhereAScanWasDropped) {
  open();
  const QString scan = folder.filePath("scan.nii");
  io::saveLayer(volumeLayer("scan"), scan.toStdString(), true);
  window->openFiles({scan});
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_TRUE(window->trigger("file.save"));
  auto* dialog = window->findChildren<QFileDialog*>().back();
  EXPECT_EQ(dialog->directory().absolutePath(), QFileInfo(scan).absolutePath());
  dialog->reject();
}

TEST_F(WindowLosses, ClosesTheStudyWithAllElse) {
  open();
  std::filesystem::create_directories(folder / "study");
  io::writeFile(folder / "study/dataset_description.json", "{}");
  io::writeFile(folder / "study/participants.tsv", "participant_id\tfibers_status\nsub-01\tdone\n");
  child<QPushButton>("openStudy")->click();
  auto* dialog = window->findChildren<QFileDialog*>().back();
  EXPECT_EQ(dialog->fileMode(), QFileDialog::Directory);
  dialog->reject();
  workspace->study().open(folder.filePath("study"));
  ASSERT_TRUE(waitFor([this] { return workspace->study().current() == 0; }));
  const auto* tabs = child<FoldingTabs>("bottom")->findChild<QTabBar*>();
  EXPECT_TRUE(tabs->isTabVisible(tabs->count() - 1));
  auto* pages = qobject_cast<QStackedWidget*>(window->centralWidget());
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->currentIndex(), 1);
  EXPECT_TRUE(window->trigger("file.closeAll"));
  EXPECT_FALSE(workspace->study().isOpen());
  EXPECT_FALSE(tabs->isTabVisible(tabs->count() - 1)) << "no tab of a study that is not open";
  EXPECT_EQ(pages->currentIndex(), 0) << "the start page is back";
  EXPECT_EQ(child<QLabel>("studySummary")->text(), "No study is open: File, Open study…");
  EXPECT_FALSE(window->trigger("file.closeAll"));
}

TEST_F(WindowLosses, SavesWithAnEndingInTheFolderOfTheLastFile) {
  open();
  add(volumeLayer("image"));
  const auto dialog = [this](const char* command) {
    EXPECT_TRUE(window->trigger(QLatin1String(command)));
    return window->findChildren<QFileDialog*>().back();
  };
  QFileDialog* first = dialog("file.save");
  EXPECT_NE(first->directory().absolutePath(), "/");
  emit first->fileSelected(folder.filePath("brain"));
  first->close();
  ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
  EXPECT_TRUE(QFile::exists(folder.filePath("brain.nii.gz")));
  QFileDialog* picture = dialog("file.screenshot");
  EXPECT_EQ(picture->directory(), QDir(folder.filePath("")));
  picture->close();
  // The name with its extension already exists: it is not replaced without a question.
  QFileDialog* again = dialog("file.save");
  emit again->fileSelected(folder.filePath("brain"));
  again->close();
  ASSERT_TRUE(waitFor([this] { return child<QMessageBox>("question"); }));
  EXPECT_TRUE(child<QMessageBox>("question")->text().contains("brain.nii.gz"));
}

TEST_F(WindowLosses, SavesARunAndOpensItAgain) {
  open();
  add(volumeLayer("image"));
  EXPECT_FALSE(window->trigger("file.saveRun")) << "there is none";
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  const auto choose = [this](const char* command, const QString& path) {
    ASSERT_TRUE(window->trigger(QLatin1String(command)));
    auto* dialog = window->findChildren<QFileDialog*>().back();
    emit dialog->fileSelected(path);  // like Qt, both
    emit dialog->filesSelected({path});
    dialog->close();
    ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
    ASSERT_TRUE(waitUntilIdle());
  };
  choose("file.saveRun", folder.filePath("fake_CPU"));
  EXPECT_TRUE(QFile::exists(folder.filePath("fake_CPU/product.nii.gz")));
  EXPECT_TRUE(QFile::exists(folder.filePath("fake_CPU/provenance.json")));
  ASSERT_TRUE(window->trigger("file.closeAll"));
  EXPECT_FALSE(child<QMessageBox>("question")) << "nothing is lost";
  choose("file.openRun", folder.filePath("fake_CPU"));
  EXPECT_EQ(workspace->runs().runs().size(), 1u);
}

TEST_F(WindowLosses, AsksBeforeAResultThatNoFileHoldsIsLost) {
  open();
  const model::LayerId image = add(volumeLayer("image"));
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  const auto answer = [this](const char* button) {
    auto* box = child<QMessageBox>("question");
    ASSERT_TRUE(box);
    QTest::mouseClick(*button ? box->findChild<QPushButton*>(button) : box->button(QMessageBox::Cancel),
                      Qt::LeftButton);
    ASSERT_TRUE(waitFor([this] { return !child<QMessageBox>("question"); }));
  };
  ASSERT_TRUE(window->trigger("file.closeAll"));
  EXPECT_TRUE(child<QMessageBox>("question")->text().startsWith("Not saved: product, extra."));
  answer("");
  EXPECT_EQ(layers().layers().size(), 3u);
  window->close();
  EXPECT_TRUE(window->isVisible());
  answer("");
  for (const model::LayerId id : workspace->runs().runs().front()->layers)
    workspace->files().save(id, folder.filePath(QStringLiteral("%1.nii").arg(id)));
  ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
  EXPECT_EQ(workspace->session().lossOf({image, workspace->runs().runs().front()->layers.front()}), "");

  workspace->presenters().named("fake")->options().set("rounds", std::int64_t(100000000));
  click("run.cpu");
  EXPECT_EQ(workspace->session().lossOf({image}), "A run has not finished and will be canceled.");
  ASSERT_TRUE(window->trigger("file.closeAll"));
  answer("agree");
  EXPECT_TRUE(layers().empty());
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(workspace->jobs().stateOf(workspace->jobs().idAt(0)), JobState::cancelled);
  window->close();
  EXPECT_FALSE(window->isVisible()) << "nothing to lose";
}

}  // namespace
}  // namespace sulcus::ui::widgets
