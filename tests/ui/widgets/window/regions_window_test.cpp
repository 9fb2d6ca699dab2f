// Regions, the ruler and preferences in the whole window.
#include "core/io/files.h"
#include "tests/ui/growing_analysis.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/dialogs/preferences_dialog.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/views/view_area.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

struct RegionsWindow : WindowFixture {
  void drag(QWidget* surface, QPoint from, QPoint to) {
    QTest::mousePress(surface, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(surface, &move);
    QTest::mouseRelease(surface, Qt::LeftButton, {}, to);
  }
  std::int64_t labeled(std::int32_t label) {
    const model::LayerState* state = named("regions");
    if (!state) return -1;
    const auto& labels = std::get<LabelsLayer>(state->layer->content).labels->values;
    return std::count(labels.begin(), labels.end(), label);
  }
};

TEST_F(RegionsWindow, TheBrushPaintsInASliceAndUndoTakesItBack) {
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  ASSERT_TRUE(waitFor([&] { return workspace->session().undoText().contains("image"); }));
  QWidget* surface = window->views().slice(model::Plane::axial)->focusProxy();
  const QPoint middle = surface->rect().center();
  ASSERT_TRUE(window->trigger("regions.paint"));
  EXPECT_TRUE(child<QWidget>("regionBar")->isVisible());
  const Vec3<double> crosshair = view().crosshair();
  drag(surface, middle, middle + QPoint(60, 0));
  EXPECT_GT(labeled(1), 40);
  EXPECT_EQ(view().crosshair(), crosshair) << "the button paints instead";
  ASSERT_TRUE(waitUntilDrawn());
  keep("brush");
  ASSERT_TRUE(waitFor([&] { return workspace->session().undoText().contains("regions"); }));
  window->trigger("edit.undo");
  EXPECT_LE(labeled(1), 0);
  ASSERT_TRUE(window->trigger("regions.paint"));
  EXPECT_FALSE(child<QWidget>("regionBar")->isVisible());
  drag(surface, middle, middle + QPoint(60, 0));
  EXPECT_NE(view().crosshair(), crosshair);
}

TEST_F(RegionsWindow, TwoDabsSoonAfterEachOtherAreTwo) {
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  QWidget* surface = window->views().slice(model::Plane::axial)->focusProxy();
  ASSERT_TRUE(window->trigger("regions.paint"));
  const QPoint first = surface->rect().center(), second = first + QPoint(80, 0);
  QTest::mouseClick(surface, Qt::LeftButton, {}, first);
  const std::int64_t one = labeled(1);
  EXPECT_GT(one, 0);
  QMouseEvent press(QEvent::MouseButtonDblClick, second, surface->mapToGlobal(second), Qt::LeftButton,
                    Qt::LeftButton, {});  // the second press, as Qt reports it
  QApplication::sendEvent(surface, &press);
  EXPECT_GT(labeled(1), one);
}

TEST_F(RegionsWindow, ABundleIsCutOutByMouse) {
  auto tracts = std::make_shared<Tracts>();
  for (int line = 0; line < 30; ++line) {
    for (int x = 0; x < 30; ++x) tracts->points.push_back({float(x), float(line), 15});
    tracts->first.push_back(tracts->points.size());
  }
  Layer lines;
  lines.name = "lines";
  lines.content = TractsLayer{tracts};
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  const model::LayerId id = add(std::move(lines));
  view().lookAt({15, 15, 15});
  ASSERT_TRUE(window->trigger("bundles.show"));
  auto* sphere = child<QToolButton>("bundleSphere");
  ASSERT_TRUE(sphere->isVisible()) << "the tools of the panel";
  const auto lineCount = [&] {
    const auto& bundles = std::get<TractsLayer>(layers().find(id)->layer->content).bundles;
    return bundles ? int(bundles->at(0).lines.size()) : 0;
  };
  QTest::mouseClick(sphere, Qt::LeftButton);
  ASSERT_TRUE(waitFor([&] { return lineCount() == 17; }));  // 7 … 23
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  keep("bundle");
  QWidget* surface = window->views().slice(model::Plane::axial)->focusProxy();
  const QPoint middle = surface->rect().center();
  drag(surface, middle, middle + QPoint(0, surface->height() / 3));
  ASSERT_TRUE(waitFor([&] { return lineCount() < 17; })) << "partly beside the lines";
}

TEST_F(RegionsWindow, ALabelIsARegionWhileItIsPainted) {
  auto tracts = std::make_shared<Tracts>();
  for (int line = 0; line < 30; ++line) {
    for (int x = 0; x < 30; ++x) tracts->points.push_back({float(x), float(line), 15});
    tracts->first.push_back(tracts->points.size());
  }
  Layer lines;
  lines.name = "lines";
  lines.content = TractsLayer{tracts};
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  const model::LayerId id = add(std::move(lines));
  view().lookAt({15, 15, 15});
  workspace->editing().regions.addBall({15, 15, 15}, 3.2);
  ASSERT_TRUE(waitFor([&] { return named("regions") != nullptr; }));
  layers().setCurrent(id);
  ASSERT_TRUE(window->trigger("bundles.show"));
  auto* menu = child<QMenu>("bundleLabels");
  emit menu->aboutToShow();
  const auto entry = [&]() -> QAction* {
    emit menu->aboutToShow();
    if (menu->actions().isEmpty() || !menu->actions()[0]->menu()) return nullptr;
    QAction* const first = menu->actions()[0]->menu()->actions().value(0);
    return first && first->isEnabled() ? first : nullptr;
  };
  ASSERT_TRUE(waitFor([&] { return entry() != nullptr; }));
  entry()->trigger();
  const auto lineCount = [&] {
    const auto& bundles = std::get<TractsLayer>(layers().find(id)->layer->content).bundles;
    return bundles ? int(bundles->at(0).lines.size()) : 0;
  };
  ASSERT_TRUE(waitFor([&] { return lineCount() == 7; }));  // 12 … 18
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  keep("bundle-label");
  workspace->editing().regions.addBall({15, 25, 15}, 1.2);
  ASSERT_TRUE(waitFor([&] { return lineCount() == 10; }));
  ASSERT_TRUE(waitFor([&] { return !workspace->editing().dissection.isFollowing(); }));
}

struct GrowingWindow : RegionsWindow {
  GrowingWindow() { analyses = {test::growingAnalysis(std::make_shared<test::GrowthProbe>())}; }
};

TEST_F(GrowingWindow, LinesGrowFromASphereThatIsDragged) {
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  view().lookAt({15, 15, 15});
  window->trigger("view.axial");
  ASSERT_TRUE(window->trigger("bundles.grow"));
  model::GrowingLines& growing = workspace->editing().growing;
  const auto first = [&] {
    const model::LayerState* state = layers().find(growing.regionsLayer());
    const auto* lines = state ? std::get<TractsLayer>(state->layer->content).tracts.get() : nullptr;
    return lines && lines->lines() == 3 ? std::optional(lines->points.front()) : std::nullopt;
  };
  ASSERT_TRUE(waitFor([&] { return first() == Vec3<float>(15, 15, 15); }));
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_EQ(child<QLabel>("growingNote")->text(), "3 lines of 3 of 3 seeds");
  keep("growing");
  QWidget* surface = window->views().slice(model::Plane::axial)->focusProxy();
  const QPoint middle = surface->rect().center();
  const Vec3<double> crosshair = view().crosshair();
  drag(surface, middle, middle + QPoint(40, 0));
  ASSERT_TRUE(waitFor([&] { return first() && first()->x != 15; }));
  EXPECT_EQ(view().crosshair(), crosshair) << "the hand holds the sphere";
  EXPECT_NE(std::get<std::string>(workspace->presenters().named("fake")->options().values().at("regions")),
            "sphere:15,15,15,8");
  QTest::mouseClick(child<QToolButton>("growingKeep"), Qt::LeftButton);
  QTest::mouseClick(child<QToolButton>("growingStop"), Qt::LeftButton);
  EXPECT_FALSE(child<QLabel>("growingNote")->isVisible());
  ASSERT_TRUE(named("grown lines"));
  EXPECT_EQ(workspace->editing().dissection.target(), named("grown lines")->id);
}

TEST_F(RegionsWindow, NamesDoNotMakeWhatIsPaintedSaved) {
  open();
  const QString names = folder.filePath("names.tsv");
  io::writeFile(names.toStdString(), "index\tname\n1\tThalamus\n", true);
  Layer given = test::volumeLayer("image", {8, 8, 8});
  given.content = LabelsLayer{std::make_shared<const Volume<sulcus::Label>>(*gridOf(given), 0)};
  const model::LayerId id = add(std::move(given));
  workspace->editing().regions.strokeTo({4, 4, 4}, {0, 0, 1});
  workspace->editing().regions.endStroke();
  ASSERT_TRUE(layers().find(id)->unsaved);
  workspace->files().nameLabels(id, names);
  ASSERT_TRUE(
      waitFor([&] { return std::get<LabelsLayer>(layers().find(id)->layer->content).names != nullptr; }));
  EXPECT_TRUE(layers().find(id)->unsaved);
}

TEST_F(RegionsWindow, ACircleOfTheBrushsSizeGoesWithThePointer) {
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  SliceView* view = window->views().slice(model::Plane::axial);
  QWidget* surface = view->focusProxy();
  auto* circle = surface->findChild<QWidget*>("brushOutline");
  const auto pointTo = [surface](QPoint at) {
    QMouseEvent move(QEvent::MouseMove, at, surface->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(surface, &move);
  };
  const QPoint middle = surface->rect().center();
  pointTo(middle);
  EXPECT_FALSE(circle->isVisible()) << "no brush yet";
  ASSERT_TRUE(window->trigger("regions.paint"));
  workspace->editing().regions.setBrush({true, 1, 8, false, false});
  pointTo(middle);
  pointTo(middle + QPoint(20, 10));
  ASSERT_TRUE(circle->isVisible());
  const double pixels = 8 / norm(view->worldAt({1, 0}) - view->worldAt({0, 0}));
  EXPECT_NEAR(circle->width(), 2 * pixels, 10);
  EXPECT_NEAR(circle->geometry().center().x(), middle.x() + 20, 1);
  EXPECT_NEAR(circle->geometry().center().y(), middle.y() + 10, 1);
  const int before = circle->width();
  workspace->editing().regions.setBrush({true, 1, 16, false, false});
  EXPECT_NEAR(circle->width(), before + 2 * pixels, 2) << "at once, as the radius is changed";
  ASSERT_TRUE(window->trigger("regions.paint"));
  EXPECT_FALSE(circle->isVisible());
}

TEST_F(RegionsWindow, ASphereHasStatisticsWhoseRowLeadsToIt) {
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  view().setCrosshair({10, 12, 14});
  ASSERT_TRUE(window->trigger("regions.sphere"));
  auto* dialog = child<QDialog>("askNumber");
  auto* radius = dialog->findChild<QAbstractSpinBox*>();
  radius->selectAll();
  QTest::keyClicks(radius, "50000");
  QTest::keyClick(radius, Qt::Key_Return);
  EXPECT_TRUE(dialog->isVisible()) << "the number is beyond the range";
  EXPECT_LE(labeled(1), 0);
  radius->selectAll();
  QTest::keyClicks(radius, "3,0");  // with a decimal comma, as typed in German
  QTest::keyClick(radius, Qt::Key_Return);
  EXPECT_EQ(labeled(1), 123) << "points of whole numbers in a ball of 3";
  view().setCrosshair({0, 0, 0});
  ASSERT_TRUE(window->trigger("regions.statistics"));
  ASSERT_TRUE(waitFor([&] { return named("statistics of regions in image"); }));
  const model::LayerState* table = named("statistics of regions in image");
  ASSERT_TRUE(table);
  auto* shown = child<QWidget>(qPrintable(QStringLiteral("table.%1").arg(table->id)));
  auto* rows = shown->findChild<QTableView*>();
  EXPECT_FALSE(rows->horizontalScrollBar()->isVisible()) << "the window is as wide as its columns";
  QTest::mouseClick(shown->findChild<QAbstractButton*>("copyTable"), Qt::LeftButton);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("label\t"));
  rows->setCurrentIndex(rows->model()->index(0, 0));
  EXPECT_EQ(view().crosshair(), (Vec3<double>{10, 12, 14}));
}

TEST_F(RegionsWindow, TheRulerFollowsTheCrosshairInAllViews) {
  open();
  add(test::volumeLayer("image", {30, 30, 30}));
  ASSERT_TRUE(waitUntilDrawn());
  view().setCrosshair({5, 5, 15});
  ASSERT_TRUE(window->trigger("regions.ruler"));
  view().setCrosshair({5, 25, 15});
  EXPECT_TRUE(child<QLabel>("note")->text().contains("20.0 mm"))
      << child<QLabel>("note")->text().toStdString();
  ASSERT_TRUE(waitUntilDrawn());
  const auto yellow = [this] {
    const QImage picture = window->views().slice(model::Plane::axial)->screenshot();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) {
        const QColor c = picture.pixelColor(x, y);
        count += c.red() > 220 && c.green() > 160 && c.blue() < 110;
      }
    return count;
  };
  const int with = yellow();
  keep("ruler");
  ASSERT_TRUE(window->trigger("regions.ruler"));
  EXPECT_GT(with, yellow() + 60);
  EXPECT_EQ(child<QLabel>("note")->text(), "");
}

TEST_F(RegionsWindow, PreferencesHoldAtOnce) {
  open();
  add(test::volumeLayer("image"));
  ASSERT_TRUE(window->trigger("edit.preferences"));
  auto* dialog = child<PreferencesDialog>("preferences");
  auto* form = dialog->findChild<OptionForm*>();
  static_cast<QCheckBox*>(form->editor("radiological"))->click();
  EXPECT_FALSE(view().radiological());
  auto* button = static_cast<QComboBox*>(form->editor("right-button"));
  button->setCurrentIndex(1);
  emit button->activated(1);
  EXPECT_EQ(view().mouseScheme(), model::MouseScheme::zoom);
  view().setRadiological(true);  // as from the menu
  EXPECT_TRUE(static_cast<QCheckBox*>(form->editor("radiological"))->isChecked());
  keep("preferences");
}

TEST_F(RegionsWindow, MachinesAreAListOfWhichTheMenuChoosesOne) {
  open();
  ASSERT_TRUE(window->trigger("edit.preferences"));
  auto* dialog = child<PreferencesDialog>("preferences");
  const auto add = [&](int kind, const char* host, const char* partition) {
    dialog->findChild<QComboBox*>("places.kind")->setCurrentIndex(kind);
    dialog->findChild<QLineEdit*>("places.host")->setText(host);
    dialog->findChild<QLineEdit*>("places.partition")->setText(partition);
    dialog->findChild<QPushButton*>("places.add")->click();
  };
  auto* list = dialog->findChild<QListWidget*>("places");
  EXPECT_TRUE(list->isHidden()) << "there is nothing to choose yet";
  add(0, "server", "not of ssh");
  add(1, " login ", "long");
  EXPECT_EQ(workspace->preferences().values().places, "ssh:server, slurm:login/gpu/long");
  EXPECT_TRUE(list->isVisible());
  ASSERT_EQ(list->count(), 2);
  EXPECT_EQ(list->item(1)->text(), "login (Slurm long)");
  QAction* server = nullptr;
  ASSERT_TRUE(
      QTest::qWaitFor([&] { return (server = window->findChild<QAction*>("place.ssh:server")); }, kWait));
  QSignalSpy known(&workspace->processors(), &model::Processors::known);
  server->trigger();
  EXPECT_EQ(workspace->preferences().values().place, "ssh:server");
  ASSERT_TRUE(known.wait(kWait));
  EXPECT_EQ(window->panel("fake")->button(model::RunChoice::gpu)->text(), "Run at server");
  list->setCurrentRow(0);
  dialog->findChild<QPushButton*>("places.remove")->click();
  EXPECT_EQ(list->count(), 1);
  EXPECT_EQ(workspace->preferences().values().place, "");
  dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
  EXPECT_EQ(workspace->preferences().values().places, "slurm:login/gpu/long")
      << "the list is no setting with a default";
}

TEST_F(RegionsWindow, ParametersGoIntoAFileAndComeBack) {
  open();
  add(test::volumeLayer("image"));
  auto& presenter = *workspace->presenters().named("fake");
  const QString file = folder.filePath("fake.json");
  QString where;  // where the dialog starts
  const auto choose = [&](const char* command) {
    ASSERT_TRUE(window->trigger(command));
    auto* dialog = window->findChildren<QFileDialog*>().back();
    where = dialog->directory().absolutePath();
    emit dialog->fileSelected(file);  // like Qt, both
    emit dialog->filesSelected({file});
    dialog->close();
    ASSERT_TRUE(waitFor([this] {
      return workspace->files().pending() == 0 && window->findChildren<QFileDialog*>().empty();
    }));
  };
  presenter.options().set("gain", 9.0);
  choose("run.saveParameters");
  presenter.options().reset();
  choose("run.openParameters");
  EXPECT_EQ(where, QFileInfo(file).absolutePath()) << "where they were saved";
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(9.0));
  QFile written(file);
  ASSERT_TRUE(written.open(QIODevice::WriteOnly) && written.write("{\"volume\": 3}") > 0);
  written.close();
  choose("run.openParameters");
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(9.0)) << "as it was";
  const auto boxes = window->findChildren<QMessageBox*>();
  ASSERT_EQ(boxes.size(), 1);
  EXPECT_TRUE(boxes.front()->text().contains("no parameter 'volume'")) << boxes.front()->text().toStdString();
}

TEST_F(RegionsWindow, OwnPresetsAreNextToThoseOfTheAnalysis) {
  open();
  add(test::volumeLayer("image"));
  auto& presenter = *workspace->presenters().named("fake");
  presenter.options().set("gain", 9.0);
  presenter.options().savePreset("loud");
  auto* presets = window->panel("fake")->findChild<QComboBox*>("presets");
  EXPECT_EQ(presets->currentText(), "loud");
  presenter.options().reset();
  EXPECT_EQ(presets->currentText(), "Default");
  const int loud = presets->findText("loud");
  presets->setCurrentIndex(loud);
  emit presets->activated(loud);
  EXPECT_EQ(presenter.options().values().at("gain"), OptionValue(9.0));
}

}  // namespace
}  // namespace sulcus::ui::widgets
