#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/status_line.h"
#include "ui/widgets/window/theme.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QDockWidget>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <gtest/gtest.h>

// Panels and views, operated by mouse and keyboard.
namespace sulcus::ui::widgets {
namespace {

using test::volumeLayer;

struct WindowPanels : WindowFixture {
  void click(const char* name) {
    auto* button = child<QPushButton>(name);
    ASSERT_TRUE(button) << name;
    QTest::mouseClick(button, Qt::LeftButton);
  }
};

TEST_F(WindowPanels, KeepsItsPanelsUsableInASmallWindow) {
  open();
  add(volumeLayer("image"));
  window->resize(900, 600);
  ASSERT_TRUE(waitUntilDrawn());
  ASSERT_EQ(window->width(), 900) << "nothing needs more, but " << window->minimumSizeHint().width();
  const int panel = window->panel("fake")->width();
  EXPECT_GE(panel, window->panel("fake")->findChild<QWidget*>("option.gain")->x() + 100);
  EXPECT_GE(panel, 20 * window->fontMetrics().horizontalAdvance('M'));
  EXPECT_GE(window->views().width(), 250);
  keep("small-window");
  window->resize(1500, 900);
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_GE(window->panel("fake")->width(), panel);
  EXPECT_GT(window->views().width(), 700);
}

TEST_F(WindowPanels, TheToolsOfTheLightboxAreWholeInAnyWidth) {
  open();
  add(volumeLayer("image"));
  ASSERT_TRUE(window->trigger("view.lightbox"));
  const auto* strip = child<QWidget>("viewStrip");
  const auto* rows = child<QWidget>("lightboxRows");
  const auto isWhole = [&] {
    const QRect place(rows->mapTo(strip, QPoint()), rows->size());
    return rows->isVisible() && rows->width() >= rows->sizeHint().width() && strip->rect().contains(place);
  };
  window->resize(900, 600);
  ASSERT_TRUE(waitFor([&] { return window->views().width() < 350; }));
  EXPECT_TRUE(waitFor(isWhole)) << window->views().width();
  const int below = strip->height();
  keep("lightbox_narrow");
  window->resize(1600, 900);
  ASSERT_TRUE(waitFor([&] { return window->views().width() > 700; }));
  EXPECT_TRUE(waitFor([&] { return isWhole() && strip->height() < below; })) << "one row where there is room";
}

TEST_F(WindowPanels, LeavesVolumesOfASeriesOut) {
  OptionInfo dropped = textOption("drop-volumes", "Drop volumes", "Those not used.");
  dropped.defaultValue = std::string();
  analyses.front().options.push_back(dropped);
  open();
  const model::LayerId series = add(volumeLayer("bold", {8, 8, 8}, 1, 5));
  layers().setVolume(series, 3);
  auto* leaveOut = child<QCheckBox>("leaveOut");
  ASSERT_TRUE(waitFor([&] { return leaveOut->isVisible(); }));
  QTest::mouseClick(leaveOut, Qt::LeftButton, {}, QPoint(10, leaveOut->height() / 2));
  EXPECT_TRUE(leaveOut->isChecked());
  auto* field = child<QLineEdit>("option.drop-volumes");
  ASSERT_TRUE(field);
  EXPECT_EQ(field->text(), "3");
  EXPECT_EQ(child<QLabel>("leftOut")->text(), "3");
  layers().setVolume(series, 0);
  EXPECT_FALSE(leaveOut->isChecked());
  auto* entry = child<QAction>("layer.leaveOut");
  auto* menu = qobject_cast<QMenu*>(entry->associatedObjects().front());
  ASSERT_TRUE(menu && menu->menuAction());
  emit qobject_cast<QMenu*>(menu->parent())->aboutToShow();
  EXPECT_TRUE(entry->isEnabled() && !entry->isChecked());
  entry->trigger();
  EXPECT_TRUE(entry->isChecked() && leaveOut->isChecked());
  EXPECT_EQ(field->text(), "0,3");
  window->panel("fake")->presenter().options().set("drop-volumes", std::string("x"));
  QTest::mouseClick(leaveOut, Qt::LeftButton, {}, QPoint(10, leaveOut->height() / 2));
  QMessageBox* told = nullptr;
  ASSERT_TRUE(waitFor([&] { return (told = window->findChild<QMessageBox*>()) != nullptr; }));
  EXPECT_TRUE(told->text().contains("'x'")) << told->text().toStdString();
  told->close();
  EXPECT_FALSE(leaveOut->isChecked()) << "the list is as it was";
  layers().setCurrent(add(volumeLayer("T1")));
  EXPECT_TRUE(waitFor([&] { return !leaveOut->isVisible(); }));
  EXPECT_FALSE(entry->isEnabled());
}

TEST_F(WindowPanels, NeedsNoWiderWindowForWhatIsOpen) {
  open(test::oneDevice());
  add(volumeLayer("a scan whose name is as long as those of results"));
  add(volumeLayer("another scan whose name is as long as those of results"));
  window->resize(900, 600);
  run("run.both");
  window->status().showNote(QString(300, 'n'));
  const auto fits = [&](const char* what) {
    ASSERT_TRUE(waitUntilDrawn());
    EXPECT_LE(window->minimumSizeHint().width(), 900) << what;
    EXPECT_LE(window->minimumSizeHint().height(), 600) << what;
    EXPECT_EQ(window->size(), QSize(900, 600)) << what;
    EXPECT_GE(window->panel("fake")->width(), 20 * window->fontMetrics().horizontalAdvance('M')) << what;
    EXPECT_GE(window->views().height(), 200) << what;
  };
  fits("a comparison");
  EXPECT_FALSE(child<QWidget>("regionBar")->isVisible());
  EXPECT_FALSE(child<QSlider>("pairShare")->isVisible());
  keep("small-compare");
  EXPECT_GE(window->bottom().width(), 850) << "tables lie below the panels";
  const std::pair<const char*, QWidget*> pages[] = {{"jobs", &window->jobsPanel()},
                                                    {"plots", &window->plotsPanel()},
                                                    {"clusters", child<QWidget>("clusters")->parentWidget()}};
  for (const auto& [name, page] : pages) {
    window->bottom().open(page);
    fits(name);
  }
  ASSERT_TRUE(window->trigger("view.grid"));
  ASSERT_TRUE(window->trigger("view.blend"));
  ASSERT_TRUE(window->trigger("regions.paint"));
  fits("two images and a brush");
  EXPECT_GT(child<QSlider>("pairShare")->width(), 60) << "it can be scrolled to";
  keep("small-bars");
  window->close();
  QTest::mouseClick(child<QMessageBox>("question")->findChild<QPushButton*>("agree"), Qt::LeftButton);
  ASSERT_FALSE(window->isVisible());
  open(test::oneDevice());
  add(volumeLayer("image"));
  fits("after a restart");
  window->resize(1600, 1000);
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_GT(window->views().width(), 700);
  EXPECT_LT(window->bottom().width(), 1000) << "between the panels";
  keep("large-again");
}

TEST_F(WindowPanels, HasRoomForTheNameOfThePlotAtEveryWidth) {
  open();
  add(volumeLayer("a scan"));
  window->bottom().open(&window->plotsPanel());
  const auto* box = child<ElidedComboBox>("plotQuantity");
  ASSERT_EQ(box->currentText(), "Histogram of an image");
  for (const int width : {900, 1000, 1100, 1200, 1300, 1440}) {
    window->resize(width, 800);
    ASSERT_TRUE(waitFor([&] { return window->width() == width; }));
    window->layout()->activate();  // otherwise the name may still have the previous width
    QCoreApplication::processEvents();
    EXPECT_GT(box->shownText().size(), 8) << width << ": " << box->shownText().toStdString();
  }
}

TEST_F(WindowPanels, GivesAFloatingPanelATitleAndBringsItBackInFront) {
  open();
  add(volumeLayer("image"));
  auto* bottom = child<QDockWidget>("bottomDock");
  auto* button = child<QToolButton>("floatBottom");
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return bottom->isFloating() && !bottom->titleBarWidget(); }));
  EXPECT_EQ(bottom->windowTitle(), "Activity");
  EXPECT_TRUE(button->isVisible());
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return !bottom->isFloating() && bottom->titleBarWidget(); }));
  EXPECT_TRUE(waitFor([&] { return !bottom->visibleRegion().isEmpty(); }));
}

TEST_F(WindowPanels, HasProgressAndCancelOnScreenWhateverPanelIsOpen) {
  open();
  add(volumeLayer("image"));
  window->bottom().open(&window->plotsPanel());
  EXPECT_FALSE(child<QToolButton>("cancelRunning")->isVisible());
  workspace->presenters().named("fake")->options().set("rounds", std::int64_t(100000000));
  click("run.cpu");
  window->bottom().open(&window->plotsPanel());
  ASSERT_TRUE(waitFor([this] { return child<QToolButton>("cancelRunning")->isVisible(); }));
  EXPECT_TRUE(child<QLabel>("runningJob")->text().startsWith("Fake · CPU"));
  EXPECT_TRUE(child<QProgressBar>("runningProgress")->isVisible());
  QTest::mouseClick(child<QToolButton>("cancelRunning"), Qt::LeftButton);
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(workspace->jobs().stateOf(workspace->jobs().idAt(0)), JobState::cancelled);
  EXPECT_FALSE(child<QToolButton>("cancelRunning")->isVisible());
}

TEST_F(WindowPanels, LooksIn3dAtWhatIsThereNow) {
  open();
  add(volumeLayer("first"));
  ASSERT_TRUE(waitUntilDrawn());
  layers().clear();
  ASSERT_TRUE(waitUntilDrawn());
  Layer far = volumeLayer("far", {20, 20, 20});
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(far.content).series);
  series->grid.worldFromVoxel.t = {500, 0, 0};
  std::get<VolumeLayer>(far.content).series = series;
  add(far);
  view().setCrosshair(series->grid.center());
  window->views().scene()->lookFromFront();
  const Vec3<double> seen = SharedCamera::of(view())->pose().focus;
  EXPECT_NEAR(norm(seen - series->grid.center()), 0, 1);
}

TEST_F(WindowPanels, MenusHoldWhatFits) {
  open();
  add(volumeLayer("T1"));
  const auto entries = [](const QMenu* menu) {
    std::vector<const QAction*> seen;
    for (const QAction* action : menu->actions())
      if (!action->isSeparator() && action->isVisible()) seen.push_back(action);
    return seen;
  };
  const QList<QAction*> tops = window->menuBar()->actions();
  for (const int top : {2, 4}) {  // of layers, of analyses
    QMenu* menu = tops[top]->menu();
    const std::size_t all = entries(menu).size();
    menu->popup(window->mapToGlobal(QPoint(40, 40)));
    const auto shown = entries(menu);
    EXPECT_LT(shown.size(), all) << menu->title().toStdString();
    EXPECT_GT(shown.size(), 4u) << menu->title().toStdString();
    for (const QAction* action : shown) {
      EXPECT_TRUE(action->isEnabled()) << action->text().toStdString();
      if (action->menu()) EXPECT_FALSE(entries(action->menu()).empty()) << action->text().toStdString();
    }
    menu->close();
    EXPECT_EQ(entries(menu).size(), all) << "keys and the search know all of them";
  }
}

TEST_F(WindowPanels, RenamesTheCurrentLayer) {
  open();
  const model::LayerId id = add(volumeLayer("image"));
  ASSERT_TRUE(window->trigger("layer.rename"));
  auto* editor = child<QListView>("layers")->findChild<QLineEdit*>();
  ASSERT_TRUE(editor);
  editor->setText("brain");
  QTest::keyClick(editor, Qt::Key_Return);
  EXPECT_TRUE(waitFor([&] { return layers().find(id)->name == "brain"; }));
}

TEST_F(WindowPanels, DescribesALayerInOneLineAndInFourRowsWhenAsked) {
  open();
  Layer layer = volumeLayer("image");
  layer.source = "/scans/image.nii.gz";
  layer.notes = {"drawn from 0.95 on"};
  add(layer);
  auto* line = child<QToolButton>("cardLine");
  EXPECT_EQ(line->text(), "RAS · 8 × 8 × 8 · 1 mm");
  auto *last = child<QLabel>("cardRow3"), *card = child<QLabel>("card");
  EXPECT_FALSE(last->isVisible() || card->isVisible());
  QTest::mouseClick(line, Qt::LeftButton);
  EXPECT_TRUE(last->isVisible() && card->isVisible());
  EXPECT_EQ(child<QLabel>("cardRow2")->text(), "RAS, right-handed");
  EXPECT_TRUE(last->text().remove(QChar(0x200B)).endsWith("/scans/image.nii.gz"));
  EXPECT_EQ(card->text(), "drawn from 0.95 on");
}

TEST_F(WindowPanels, WarnsInAColorOfItsOwn) {
  open();
  Layer layer = volumeLayer("ppm_visual");
  layer.notes = {"drawn from 0.95 on", Note::warning("the chains have not converged.")};
  add(layer);
  auto *card = child<QLabel>("card"), *warnings = child<QLabel>("cardWarnings");
  EXPECT_EQ(warnings->text(), "Warning: the chains have not converged.");
  EXPECT_TRUE(warnings->isVisibleTo(warnings->parentWidget()));
  EXPECT_TRUE(card->text().contains("drawn from 0.95 on"));
  EXPECT_FALSE(card->text().contains("Warning"));
  for (const Appearance appearance : {Appearance::light, Appearance::dark}) {
    applyAppearance(appearance);
    ASSERT_TRUE(waitUntilDrawn());
    EXPECT_EQ(warnings->palette().color(warnings->foregroundRole()), theme().warning);
    keep(appearance == Appearance::light ? "warning-light" : "warning-dark");
  }
  add(volumeLayer("image"));
  EXPECT_FALSE(warnings->isVisibleTo(warnings->parentWidget()));
}

TEST_F(WindowPanels, DrawsEachStepOfTheWheelWhereItTurns) {
  open();
  auto series = std::make_shared<Series<float>>(Grid{{8, 8, 12}, {}}, 1);
  for (std::int64_t i = 0; i < series->grid.voxels(); ++i)
    series->values[std::size_t(i)] = float(series->grid.voxel(i).z);
  Layer layer;
  layer.name = "ramp";
  layer.content = VolumeLayer{series, {}, 0, {}};
  layer.display.range = Range{0, 12};
  add(layer);
  view().setCrosshair({4, 4, 0});
  view().setCrosshairVisible(false);
  ASSERT_TRUE(waitUntilDrawn());
  QWidget* axial = window->views().slice(model::Plane::axial)->focusProxy();
  const QPointF middle = axial->rect().center();
  const auto brightness = [&] { return axial->grab().toImage().pixelColor(middle.toPoint()).red(); };
  int last = brightness();
  for (int step = 0; step < 8; ++step) {  // without a pass of the event loop in between
    QWheelEvent wheel(middle, axial->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(axial, &wheel);
    EXPECT_GT(brightness(), last) << "step " << step;
    last = brightness();
  }
}

TEST_F(WindowPanels, CutsNoValueInTheStatusLine) {
  open();
  for (const char* name : {"first image with a long name", "second image with a long name",
                           "third image with a long name", "fourth image with a long name"})
    add(test::volumeLayer(name, {8, 8, 8}, 12759));
  view().setCrosshair({3, 3, 3});
  auto* values = child<QLabel>("values");
  QString wide;
  for (const int width : {1700, 950, 1700}) {
    window->resize(width, 700);
    ASSERT_TRUE(waitFor([&] { return window->width() == width; }));
    QCoreApplication::processEvents();
    EXPECT_LE(values->fontMetrics().horizontalAdvance(values->text()), values->width()) << "in " << width;
    EXPECT_TRUE(values->text().contains(QStringLiteral(": "))) << "the first has room even there";
    if (width == 1700 && wide.isEmpty()) wide = values->text();
  }
  EXPECT_EQ(values->text(), wide) << "names come back with the room";
}

}  // namespace
}  // namespace sulcus::ui::widgets
