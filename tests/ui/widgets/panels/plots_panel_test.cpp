// The window with an analysis that has plots, previews, presets, tables and options that change a result.
#include "ui/widgets/panels/plots_panel.h"

#include "tests/ui/rich_analysis.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/layer_picker.h"
#include "ui/widgets/views/chart_view.h"
#include "ui/widgets/window/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QSvgRenderer>
#include <QTableView>
#include <cstdlib>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::oneDevice;
using test::volumeLayer;

struct RichWindowTest : WindowFixture {
  RichWindowTest() : WindowFixture({test::richAnalysis()}) {}
  void SetUp() override {
    open(oneDevice());
    add(volumeLayer("image", {16, 16, 16}));
  }
  model::AnalysisPresenter& presenter() { return *workspace->presenters().named("rich"); }
  void showPlots() {
    window->bottom().open(&window->plotsPanel());
    ASSERT_TRUE(waitFor([&] { return window->plotsPanel().isVisible(); }));
  }
  /// Whether a chart of the analysis is on screen, not that of a layer.
  bool hasChart() {
    const auto& charts = workspace->evaluation().plots.charts();
    return !charts.empty() && charts.front().chart.xLabel != "value";
  }
  /// Pixels of the chart with approximately this color.
  int near(const QColor& color) {
    const QImage image = window->plotsPanel().chart()->screenshot();
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor c = image.pixelColor(x, y);
        found += std::abs(c.red() - color.red()) + std::abs(c.green() - color.green()) +
                     std::abs(c.blue() - color.blue()) <
                 60;
      }
    return found;
  }
};

TEST_F(RichWindowTest, DrawsAPlotPerTabAndBothResultsOverEachOther) {
  showPlots();
  run("run.both");
  ASSERT_TRUE(waitFor([&] { return workspace->evaluation().plots.charts().size() == 2; }));
  auto* quantity = child<QComboBox>("plotQuantity");
  EXPECT_EQ(quantity->count(), 3) << "two of the analysis, and the histogram of an image";
  EXPECT_EQ(quantity->currentText(), "Trace");
  EXPECT_FALSE(child<QComboBox>("plotSubject")->isVisible()) << "there is no choice";
  EXPECT_TRUE(waitFor([&] { return near(QColor(238, 152, 20)) > 50 && near(QColor(60, 180, 240)) > 50; }));
  keep("window-both");
  quantity->setCurrentIndex(1);
  emit quantity->activated(1);
  ASSERT_TRUE(waitFor([&] {
    return !workspace->evaluation().plots.charts().empty() &&
           workspace->evaluation().plots.charts()[0].chart.title == "posterior means";
  }));
  keep("window-histogram");
}

TEST_F(RichWindowTest, OpensAPlotThatIsFoundByItsName) {
  run("run.cpu");
  ASSERT_TRUE(window->trigger("edit.search"));
  auto* query = child<QLineEdit>("paletteQuery");
  QTest::keyClicks(query, "histog");
  QTest::keyClick(query, Qt::Key_Return);
  EXPECT_TRUE(window->plotsPanel().isVisible());
  EXPECT_TRUE(waitFor([&] { return child<QComboBox>("plotQuantity")->currentText() == "Histogram"; }));
}

TEST_F(RichWindowTest, ZoomsByWheelMovesByHandAndShowsAllAgainByDoubleClick) {
  showPlots();
  run("run.cpu");
  ASSERT_TRUE(waitFor([&] { return hasChart(); }));
  ChartView* chart = window->plotsPanel().chart();
  EXPECT_FALSE(chart->screenshot().isNull());
  QWidget* canvas = chart->focusProxy();
  const QPointF middle = canvas->rect().center();
  QWheelEvent wheel(middle, canvas->mapToGlobal(middle), {}, {0, 120}, {}, {}, Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas, &wheel);
  EXPECT_TRUE(chart->zoomed());
  QTest::mouseDClick(canvas, Qt::LeftButton, {}, middle.toPoint());
  EXPECT_FALSE(chart->zoomed());
  QTest::mousePress(canvas, Qt::LeftButton, {}, middle.toPoint());
  QTest::mouseMove(canvas, middle.toPoint() + QPoint(20, 5));
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, middle.toPoint() + QPoint(20, 5));
  EXPECT_TRUE(chart->zoomed());
  QTest::keyClick(canvas, Qt::Key_Home);
  EXPECT_FALSE(chart->zoomed());
  // At some position the tooltip shows a value.
  bool said = false;
  for (int x = 0; x < canvas->width() && !said; x += 3)
    for (int y = 0; y < canvas->height() && !said; y += 3)
      said = chart->textAt(QPointF(x, y)).startsWith("fit\ntime (s): ");
  EXPECT_TRUE(said);
}

TEST_F(RichWindowTest, LeadsFromAPointToItsVoxel) {
  showPlots();
  run("run.cpu");
  ASSERT_TRUE(waitFor([&] { return hasChart(); }));
  ChartView* chart = window->plotsPanel().chart();
  ASSERT_FALSE(chart->screenshot().isNull());
  QWidget* canvas = chart->focusProxy();
  const Vec3<double> before = view().crosshair();
  QTest::mouseClick(canvas, Qt::LeftButton, {}, {2, 2});
  EXPECT_EQ(view().crosshair(), before) << "nothing is there";
  for (int x = 0; x < canvas->width() && view().crosshair() == before; x += 3)
    for (int y = 0; y < canvas->height() && view().crosshair() == before; y += 3)
      if (chart->textAt(QPointF(x, y)).startsWith("measured\ntime (s): 30\n"))
        QTest::mouseClick(canvas, Qt::LeftButton, {}, {x, y});
  EXPECT_EQ(view().crosshair(), (Vec3<double>{30, 2, 3}));
}

TEST_F(RichWindowTest, SavesThePlotAsPictureDrawingAndNumbers) {
  showPlots();
  run("run.cpu");
  ASSERT_TRUE(waitFor([&] { return hasChart(); }));
  ASSERT_FALSE(window->plotsPanel().chart()->screenshot().isNull());
  const std::pair<const char*, QByteArray> formats[] = {{"plot.savePng", "\x89PNG"},
                                                        {"plot.saveSvg", "<svg"},
                                                        {"plot.savePdf", "%PDF"},
                                                        {"plot.saveCsv", "run,series,time (s)"}};
  for (const auto& [command, beginning] : formats) {
    ASSERT_TRUE(window->trigger(command));
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] { return (dialog = window->findChild<QFileDialog*>()) && dialog->isVisible(); }));
    const QString name = QStringLiteral("Trace.") + QString(command).right(3).toLower();
    EXPECT_TRUE(dialog->selectedFiles().value(0).endsWith(name)) << command;
    QSignalSpy saved(&workspace->files(), &jobs::FileJobs::saved);
    const QString file = folder.filePath(name);
    emit dialog->fileSelected(file);
    ASSERT_TRUE(saved.wait(kWait));
    delete dialog;
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_EQ(written.read(beginning.size()), beginning) << command;
    if (const char* kept = std::getenv("SULCUS_KEEP_PICTURES")) QFile::copy(file, QString(kept) + "/" + name);
  }
}

TEST_F(RichWindowTest, DrawsInAWindowOfItsOwnAndBackInTheDock) {
  showPlots();
  run("run.cpu");
  ASSERT_TRUE(waitFor([&] { return hasChart(); }));
  auto* dock = child<QDockWidget>("bottomDock");
  auto* button = dock->findChild<QAbstractButton*>(QStringLiteral("floatBottom"));
  ASSERT_TRUE(button);
  for (const bool floats : {true, false}) {
    button->click();
    ASSERT_EQ(dock->isFloating(), floats);
    ASSERT_TRUE(waitFor([&] { return window->plotsPanel().isVisible(); }));
    EXPECT_TRUE(waitFor([&] { return near(QColor(238, 152, 20)) > 50; })) << floats;
  }
}

TEST_F(RichWindowTest, FollowsTheAppearanceOnScreenAndIsWhiteInPrint) {
  showPlots();
  run("run.cpu");
  ASSERT_TRUE(window->trigger("view.light"));
  ASSERT_TRUE(waitFor([&] { return near(Qt::white) > 1000; }));
  ASSERT_TRUE(window->trigger("view.dark"));
  EXPECT_TRUE(waitFor([&] { return near(Qt::white) < 1000 && near(darkTheme().field) > 1000; }));
  keep("window-dark");
  const QImage printed = window->plotsPanel().chart()->printed(1);
  EXPECT_EQ(printed.pixelColor(1, 1), QColor(Qt::white));
  EXPECT_GT(near(darkTheme().field), 1000) << "the screen stays dark";
  // The drawing, rendered by another program, resembles the picture: each color covers as much.
  QSvgRenderer drawing(window->plotsPanel().chart()->svg());
  ASSERT_TRUE(drawing.isValid());
  QImage drawn(printed.size(), QImage::Format_RGB32);
  drawn.fill(Qt::white);
  QPainter painter(&drawn);
  drawing.render(&painter);
  painter.end();
  const auto colored = [](const QImage& image) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x)
        count += QColor(image.pixel(x, y)).hslSaturation() > 100 && qGray(image.pixel(x, y)) < 230;
    return count;
  };
  EXPECT_GT(colored(printed), 100);
  EXPECT_NEAR(double(colored(drawn)) / colored(printed), 1, 0.5);
}

TEST_F(RichWindowTest, ShowsTheDesignBeforeARun) {
  showPlots();
  EXPECT_EQ(child<QComboBox>("plotQuantity")->currentText(), "Histogram of an image");
  const model::LayerId design = add(test::designTable());
  presenter().inputs().choose("design", design);
  ASSERT_TRUE(waitFor([&] { return hasChart(); }));
  EXPECT_EQ(child<QComboBox>("plotQuantity")->currentText(), "Design");
  EXPECT_GT(near(Qt::black), 200);
  keep("window-design");
}

TEST_F(RichWindowTest, ChangesAResultWithTheSliderNextToTheNumber) {
  run("run.cpu");
  auto* slider = child<QSlider>("slider.level");
  ASSERT_TRUE(slider);
  EXPECT_EQ(slider->maximum(), 100);
  slider->setValue(25);
  EXPECT_DOUBLE_EQ(std::get<double>(presenter().options().values().at("level")), 2.5);
  EXPECT_EQ(child<QDoubleSpinBox>("option.level")->value(), 2.5);
  ASSERT_TRUE(waitFor([&] { return test::firstValue(*named("level (CPU)")->layer) == 2.5f; }));
  presenter().options().set("level", 7.0);
  EXPECT_EQ(slider->value(), 70);
  EXPECT_FALSE(child<QSlider>("slider.scale")) << "needs another run";
}

TEST_F(RichWindowTest, AddsAContrastThatIsTyped) {
  run("run.cpu");
  auto* edit = child<QLineEdit>("option.contrasts");
  ASSERT_TRUE(edit);
  edit->setText("a; b");
  QTest::keyClick(edit, Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return named("contrast_b (CPU)") != nullptr; }));
  keep("window-contrast");
}

TEST_F(RichWindowTest, ChoosesPresetsAndSaysCustomForTheRest) {
  auto* presets = child<QComboBox>("presets");
  ASSERT_TRUE(presets);
  EXPECT_EQ(presets->currentText(), "Default");
  EXPECT_EQ(presets->count(), 3);
  presenter().options().set("steps", std::int64_t(3));
  EXPECT_EQ(presets->currentText(), "custom");
  presets->setCurrentIndex(presets->findText("paper"));
  emit presets->activated(presets->currentIndex());
  EXPECT_EQ(std::get<double>(presenter().options().values().at("scale")), 7);
  EXPECT_EQ(std::get<std::int64_t>(presenter().options().values().at("steps")), 0);
  EXPECT_EQ(presets->count(), 3);
  presenter().options().set("level", 2.0);  // a viewing option does not start another run
  EXPECT_EQ(presets->currentText(), "paper");
  presenter().options().set("level", 5.0);
  EXPECT_EQ(presets->currentText(), "strict");
  presenter().options().reset();
  EXPECT_EQ(presets->currentText(), "Default");
}

TEST_F(RichWindowTest, TakesManyLayersInTheOrderOfTheList) {
  const model::LayerId a = add(volumeLayer("a")), b = add(volumeLayer("b"));
  LayerPicker* picker = window->panel("rich")->manyPicker("maps");
  ASSERT_TRUE(picker);
  EXPECT_EQ(picker->currentText(), "none");
  EXPECT_EQ(window->panel("rich")->picker("maps"), nullptr);
  QTest::mouseClick(picker, Qt::LeftButton);
  ASSERT_TRUE(picker->list()->isVisible());
  if (const char* kept = std::getenv("SULCUS_KEEP_PICTURES"))
    picker->list()->window()->grab().save(QString::fromUtf8(kept) + QStringLiteral("/picker.png"));
  for (int row = 0; row < picker->list()->count(); ++row) {
    auto* item = picker->list()->item(row);
    if (item->text() == "a" || item->text() == "b") item->setCheckState(Qt::Checked);
  }
  EXPECT_EQ(picker->currentText(), "2 layers");
  EXPECT_EQ(presenter().inputs().of("maps"), (std::vector{b, a})) << "top of the stack first";
  presenter().inputs().choose("maps", {a, b});
  EXPECT_EQ(picker->toolTip(), "a\nb");
  picker->list()->window()->close();
  layers().remove(a);
  EXPECT_EQ(picker->currentText(), "b");
}

TEST_F(RichWindowTest, ChecksALayerByItsNameAsByItsBox) {
  add(volumeLayer("a"));
  LayerPicker* picker = window->panel("rich")->manyPicker("maps");
  QTest::mouseClick(picker, Qt::LeftButton);
  QListWidgetItem* item = picker->list()->item(0);
  const QRect row = picker->list()->visualItemRect(item);
  const QPoint box{row.left() + 8, row.center().y()}, name{row.left() + 60, row.center().y()};
  for (const QPoint& at : {name, box, box, name}) {
    const Qt::CheckState before = item->checkState();
    QTest::mouseClick(picker->list()->viewport(), Qt::LeftButton, {}, at);
    EXPECT_NE(item->checkState(), before) << "at " << at.x();
  }
}

TEST_F(RichWindowTest, AddsEveryFileDroppedOnASlotOfMany) {
  QStringList files;
  for (const char* name : {"one", "two"}) {
    const QString file = folder.filePath(QString(name) + ".nii");
    io::saveLayer(volumeLayer(name), file.toStdString());
    files << file;
  }
  emit window->panel("rich")->filesDropped("maps", files);
  ASSERT_TRUE(waitFor([&] { return presenter().inputs().of("maps").size() == 2; }));
  EXPECT_EQ(layers().find(presenter().inputs().of("maps")[1])->name, "two");
}

TEST_F(RichWindowTest, OpensTablesAndShowsThemInAWindow) {
  const QString file = folder.filePath("design.tsv");
  QFile out(file);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write("visual\tauditory\n1\t0\n0\t1\n0.5\t2\n");
  out.close();
  workspace->files().open({file});
  const auto table = [&]() -> const model::LayerState* {
    for (const model::LayerState& state : layers().layers())
      if (std::holds_alternative<TableLayer>(state.layer->content)) return &state;
    return nullptr;
  };
  ASSERT_TRUE(waitFor([&] { return table() != nullptr; }));
  layers().setCurrent(table()->id);
  auto* show = child<QPushButton>("showTable");
  ASSERT_TRUE(show && show->isVisible());
  QTest::mouseClick(show, Qt::LeftButton);
  auto* dialog = window->findChild<QDialog*>(QStringLiteral("table.%1").arg(table()->id));
  ASSERT_TRUE(dialog);
  auto* view = dialog->findChild<QTableView*>();
  EXPECT_EQ(view->model()->rowCount(), 3);
  EXPECT_EQ(view->model()->headerData(1, Qt::Horizontal).toString(), "auditory");
  EXPECT_EQ(view->model()->index(2, 0).data().toString(), "0.5");
  keep("window-table");
}

TEST_F(RichWindowTest, OpensTheDesignNextToASeriesAndTakesItAsInput) {
  layers().clear();
  QFile out(folder.filePath("design.mat"));
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write("/NumWaves 2\n/NumPoints 3\n/Matrix\n1 0\n0 1\n1 1\n");
  out.close();
  const QString scan = folder.filePath("bold.nii.gz");
  io::saveLayer(volumeLayer("bold", {4, 4, 4}, 1, 3), scan.toStdString());
  workspace->files().open({scan});
  ASSERT_TRUE(waitFor([&] { return presenter().inputs().first("design") != 0; }));
  EXPECT_EQ(layers().layers().size(), 2u);
  EXPECT_TRUE(std::holds_alternative<VolumeLayer>(layers().layers().back().layer->content));
  EXPECT_EQ(layers().layers().back().id, layers().current());
}

TEST_F(RichWindowTest, ShowsPreviewsAndNothingOfThemAfterCancel) {
  presenter().options().set("steps", std::int64_t(50));
  presenter().options().set("hold", true);
  ASSERT_TRUE(window->trigger("run.cpu"));
  ASSERT_TRUE(waitFor([&] { return named("map (CPU)") != nullptr; }));
  const model::LayerId shown = named("map (CPU)")->id;
  // The curve grows next to the images without a click.
  ASSERT_TRUE(waitFor([&] {
    return window->plotsPanel().isVisible() && !workspace->evaluation().plots.charts().empty() &&
           workspace->evaluation().plots.charts().front().chart.title == "step 49";
  }));
  EXPECT_EQ(named("map (CPU)")->id, shown) << "in place";
  EXPECT_EQ(view().crosshair(), (Vec3<double>{8, 8, 8}));
  keep("window-live");
  ASSERT_TRUE(window->trigger("run.cancel"));
  ASSERT_TRUE(waitFor([&] { return workspace->runs().pending() == 0; }));
  EXPECT_EQ(layers().layers().size(), 1u);
  ASSERT_EQ(workspace->evaluation().plots.names().size(), 1);
  EXPECT_TRUE(workspace->evaluation().plots.names().front().startsWith("Histogram of an image: "));
}

TEST_F(RichWindowTest, NamesTheRunAboveTheSlidersOfItsResult) {
  run("run.cpu");
  const auto* line = child<QLabel>("ofResult");
  EXPECT_TRUE(line->isHidden()) << "there is but one";
  presenter().options().set("scale", 2.0);
  run("run.cpu");
  EXPECT_FALSE(line->isHidden());
  EXPECT_TRUE(line->text().contains("CPU, Scale 2")) << line->text().toStdString();
  layers().setCurrent(workspace->runs().runs().front()->layers.front());
  EXPECT_TRUE(line->text().contains("CPU, Scale 1")) << line->text().toStdString();
}

}  // namespace
}  // namespace sulcus::ui::widgets
