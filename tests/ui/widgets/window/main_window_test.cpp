#include "ui/widgets/window/main_window.h"

#include "core/io/files.h"
#include "tests/ui/turn_meter.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/help/help_pages.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/status_line.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialog>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QHeaderView>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::oneDevice;
using test::volumeLayer;

struct MainWindowTest : WindowFixture {
  QPushButton* button(const char* name) { return child<QPushButton>(name); }
  void click(const char* name) {
    ASSERT_TRUE(button(name)) << name;
    QTest::mouseClick(button(name), Qt::LeftButton);
  }
};

TEST_F(MainWindowTest, IsOneClickFromADemoAndOneMoreFromItsResult) {
  open();
  EXPECT_TRUE(layers().empty());
  QSignalSpy loaded(workspace.get(), &model::Workspace::demoLoaded);
  auto* demo = child<QAbstractButton>("demo.fake");
  ASSERT_TRUE(demo);
  demo->click();
  ASSERT_TRUE(loaded.wait(kWait));
  EXPECT_EQ(layers().layers().size(), 1u);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{4, 4, 4}));
  EXPECT_EQ(window->panel("fake")->reason(), "GPU: no CUDA driver");
  EXPECT_FALSE(button("run.gpu")->isEnabled());
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(layers().layers().back().name, "product (CPU)");
}

TEST_F(MainWindowTest, OpensAndRunsAnExampleByOneClickAndLeadsThroughTheWindowOnce) {
  open();
  model::Example one;
  one.name = "one", one.title = "One", one.summary = "An image", one.analysis = "fake";
  one.options = {{"gain", 3.0}};
  one.layout = "view.beside";
  one.place = Vec3<double>{1, 2, 3};
  one.load = [](const Progress&) {
    AnalysisInputs inputs;
    inputs.insert({"image", test::shared(volumeLayer("scan"))});
    return inputs;
  };
  model::Examples examples(*workspace, {one});
  window->setExamples(examples);
  workspace->presenters().named("fake")->options().set("gain", 7.0);
  QSignalSpy shown(&examples, &model::Examples::shown);
  ASSERT_TRUE(button("example.one"));
  EXPECT_EQ(button("example.one")->accessibleName(), "One");
  click("example.one");
  ASSERT_TRUE(shown.count() > 0 || shown.wait(kWait));
  ASSERT_EQ(workspace->runs().runs().size(), 1u);
  EXPECT_EQ(std::get<double>(workspace->runs().runs().back()->options.at("gain")), 3);
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::beside);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{1, 2, 3}));
  ASSERT_TRUE(child<QWidget>("guide"));
  int stops = 1;
  const bool shownBefore = layers().layers().back().display.visible;
  QTest::keyClick(window.get(), Qt::Key_Space);  // as if the guide had the focus
  EXPECT_EQ(child<QLabel>("guideCount")->text(), "2 of 5");
  EXPECT_EQ(layers().layers().back().display.visible, shownBefore) << "no shortcut of the window";
  QTest::keyClick(window.get(), Qt::Key_Return);
  EXPECT_EQ(child<QLabel>("guideCount")->text(), "3 of 5");
  stops = 3;
  for (; child<QWidget>("guide") && child<QWidget>("guide")->isVisible() && stops < 10; ++stops)
    click("guideNext");
  EXPECT_GE(stops, 4);
  EXPECT_LE(stops, 6);
  ASSERT_TRUE(waitFor([&] { return !child<QWidget>("guide"); }));
  layers().clear();
  examples.open("one");
  ASSERT_TRUE(waitFor([&] { return shown.count() > 1; }));
  EXPECT_FALSE(child<QWidget>("guide")) << "never again";
  window.reset();
}

TEST_F(MainWindowTest, RunsBothAndShowsTheComparison) {
  open(oneDevice());
  add(volumeLayer("image"));
  click("run.both");
  QSignalSpy compared(&workspace->runs().comparer(), &model::RunComparer::finished);
  ASSERT_TRUE(compared.wait(kWait));
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::compare);
  EXPECT_EQ(window->views().shownViews().size(), 3u);
  EXPECT_TRUE(window->comparePanel().isVisible());
  EXPECT_GT(window->comparePanel().table()->model()->rowCount(), 5);
  EXPECT_TRUE(window->comparePanel().model().summary().startsWith("CPU and GPU agree"));
  ASSERT_TRUE(window->trigger("view.compareIn3d"));
  EXPECT_TRUE(window->views().comparePage().isIn3d());
  ASSERT_TRUE(window->trigger("view.grid"));
  EXPECT_EQ(window->views().shownViews().size(), 4u);
}

TEST_F(MainWindowTest, RunsWithWhatIsTypedAndNotLeftYet) {
  open(oneDevice());
  add(volumeLayer("image"));
  auto* gain = child<QDoubleSpinBox>("option.gain");
  ASSERT_TRUE(gain);
  ASSERT_TRUE(waitFor([&] {
    window->activateWindow();
    gain->setFocus();
    return QApplication::focusWidget() == gain;
  }));
  gain->selectAll();
  QTest::keyClicks(gain, "5");
  run("run.cpu");
  ASSERT_FALSE(workspace->runs().runs().empty());
  EXPECT_EQ(std::get<double>(workspace->runs().runs().back()->options.at("gain")), 5);
}

TEST_F(MainWindowTest, ComparesTwoChosenRunsOfOneBackend) {
  open({{}, "built without CUDA"});
  add(volumeLayer("image"));
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  workspace->presenters().named("fake")->options().set("mode", std::string("doubled"));
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  window->bottom().open(&window->comparePanel());
  QSignalSpy compared(&workspace->runs().comparer(), &model::RunComparer::finished);
  click("compare");
  ASSERT_TRUE(compared.wait(kWait));
  EXPECT_TRUE(
      window->comparePanel().model().summary().startsWith("CPU, Mode plain and CPU, Mode doubled differ"));
}

TEST_F(MainWindowTest, ComparesTheLastTwoRunsByOneCommand) {
  open();
  add(volumeLayer("image"));
  run("run.cpu");
  EXPECT_FALSE(window->trigger("compare.runs")) << "there is one alone";
  workspace->presenters().named("fake")->options().set("mode", std::string("doubled"));
  run("run.cpu");
  QSignalSpy compared(&workspace->runs().comparer(), &model::RunComparer::finished);
  ASSERT_TRUE(window->trigger("compare.runs"));
  ASSERT_TRUE(compared.wait(kWait));
  EXPECT_TRUE(window->comparePanel().isVisible());
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::compare);
  const auto* table = child<QTableView>("comparison");
  EXPECT_EQ(table->horizontalHeader()->textElideMode(), Qt::ElideMiddle) << "no name is cut without a sign";
  EXPECT_EQ(table->model()->headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), "CPU, Mode plain");
}

TEST_F(MainWindowTest, CancelsARunAndKeepsWhatIsOnScreen) {
  open();
  add(volumeLayer("image"));
  workspace->presenters().named("fake")->options().set("rounds", std::int64_t(100000000));
  click("run.cpu");
  ASSERT_TRUE(
      waitFor([this] { return workspace->jobs().stateOf(workspace->jobs().idAt(0)) == JobState::running; }));
  ASSERT_TRUE(window->trigger("run.cancel"));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(workspace->jobs().stateOf(workspace->jobs().idAt(0)), JobState::cancelled);
  EXPECT_EQ(layers().layers().size(), 1u);
}

TEST_F(MainWindowTest, ShowsAnErrorAsASentenceAndLosesNothing) {
  open();
  add(volumeLayer("image"));
  workspace->presenters().named("fake")->options().set("failing", true);
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  QMessageBox* box = nullptr;
  ASSERT_TRUE(waitFor([&] { return (box = child<QMessageBox>("error")); }));
  EXPECT_EQ(box->text(), "The image cannot be used (the test asked for it): switch Fail off");
  EXPECT_TRUE(box->textInteractionFlags() & Qt::TextSelectableByMouse);
  QTest::keyClick(box, Qt::Key_Escape);
  EXPECT_FALSE(child<QMessageBox>("error") && box->isVisible());
  EXPECT_EQ(layers().layers().size(), 1u);
}

TEST_F(MainWindowTest, ForgetsARunWithTheLastOfItsLayers) {
  open();
  add(volumeLayer("image"));
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(workspace->runs().runs().size(), 1u);
  layers().clear();
  EXPECT_TRUE(workspace->runs().runs().empty());
  EXPECT_FALSE(window->views().isVisible());
}

TEST_F(MainWindowTest, FramesTheFirstImageAndMovesNothingForLaterOnes) {
  open();
  add(volumeLayer("first", {20, 20, 20}));
  EXPECT_EQ(view().crosshair(), (Vec3<double>{10, 10, 10}));
  view().setCrosshair({3, 3, 3});
  add(volumeLayer("second", {4, 4, 4}));
  EXPECT_EQ(view().crosshair(), (Vec3<double>{3, 3, 3}));
}

TEST_F(MainWindowTest, ObeysTheKeysOfItsCommands) {
  open();
  const model::LayerId id = add(volumeLayer("image"));
  ViewArea& views = window->views();
  ASSERT_TRUE(waitForFocus(views));
  press(Qt::Key_F);
  EXPECT_FALSE(view().crosshairVisible());
  press(Qt::Key_O);
  EXPECT_FALSE(view().lettersVisible());
  press(Qt::Key_2);
  EXPECT_EQ(views.layoutShown(), ViewLayout::coronal);
  press(Qt::Key_S);
  EXPECT_EQ(views.layoutShown(), ViewLayout::sagittal);
  press(Qt::Key_0);
  EXPECT_EQ(views.layoutShown(), ViewLayout::grid);
  press(Qt::Key_Space);
  EXPECT_FALSE(layers().find(id)->display.visible);
}

TEST_F(MainWindowTest, SwitchesTheConventionByName) {
  open();
  EXPECT_TRUE(view().radiological());
  ASSERT_TRUE(window->trigger("view.neurological"));
  EXPECT_FALSE(view().radiological());
  EXPECT_FALSE(window->trigger("view.compare"));
  EXPECT_FALSE(window->trigger("file.save"));
}

TEST_F(MainWindowTest, SaysWhereThePointerIsAndWhatLiesThere) {
  open();
  add(volumeLayer("image"));
  view().setCrosshair({1, 0, 0});
  EXPECT_EQ(window->status().positionText(), "R 1.0  A 0.0  S 0.0 mm");
  EXPECT_EQ(window->status().valuesText(), "image: 2");
  Layer changed = volumeLayer("image");
  auto values = std::make_shared<Series<float>>(*std::get<VolumeLayer>(changed.content).series);
  std::ranges::fill(values->values, 7.0f);
  std::get<VolumeLayer>(changed.content).series = values;
  layers().replaceContent(layers().layers().front().id, std::make_shared<const Layer>(changed));
  EXPECT_EQ(window->status().valuesText(), "image: 7") << "as a slider changes a map";
  EXPECT_TRUE(window->status().deviceText().contains("no CUDA driver"));
}

TEST_F(MainWindowTest, IsNeverBlockedForMoreThanFiftyMillisecondsWhileAJobRuns) {
  open();
  add(volumeLayer("image"));
  ASSERT_TRUE(waitUntilDrawn());  // starting OpenGL is the driver's work
  workspace->presenters().named("fake")->options().set("rounds", std::int64_t(100000000));
  click("run.cpu");
  ASSERT_TRUE(
      waitFor([this] { return workspace->jobs().stateOf(workspace->jobs().idAt(0)) == JobState::running; }));
  TurnMeter meter;
  ASSERT_TRUE(waitFor([&] { return meter.turns() >= 200; }));
  EXPECT_EQ(workspace->jobs().active(), 1) << "the job ended too early to say anything";
  EXPECT_LE(meter.longTurns(), 1) << "a processor shared with others may stretch one";
  window->trigger("run.cancel");
  ASSERT_TRUE(waitUntilIdle());
}

TEST_F(MainWindowTest, AnswersWhileAnAnalysisIsLive) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "times mean nothing under a sanitizer";
#endif
  open();
  add(volumeLayer("image", {96, 96, 96}));
  ASSERT_TRUE(waitUntilDrawn());
  auto* presenter = workspace->presenters().named("fake");
  child<QCheckBox>("live")->click();
  ASSERT_TRUE(presenter->live());
  ASSERT_TRUE(waitFor([this] { return workspace->runs().runs().size() == 1; }));
  ASSERT_TRUE(waitUntilIdle() && waitUntilDrawn());
  TurnMeter meter;
  for (const double gain : {3.0, 4.0, 5.0}) {
    presenter->options().set("gain", gain);
    ASSERT_TRUE(waitFor(
        [&] { return std::get<double>(workspace->runs().runs().front()->options.at("gain")) == gain; }));
    ASSERT_TRUE(waitUntilIdle() && waitUntilDrawn());
  }
  EXPECT_EQ(workspace->runs().runs().size(), 1U);
  EXPECT_EQ(workspace->jobs().rowCount(), 1);
  EXPECT_LE(meter.longTurns(), 2) << "a processor shared with others may stretch some";
  child<QCheckBox>("live")->click();
  EXPECT_FALSE(presenter->live());
}

/// Three fibers in each voxel, and forms of order 4.
LayerPtr manyPeaks(const Vec3<int>& size) {
  Grid grid;
  grid.size = size;
  auto peaks = std::make_shared<Series<float>>(grid, 9);
  auto tensor = std::make_shared<Series<float>>(grid, 15, 0.1f);
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    for (int k = 0; k < 3; ++k) peaks->at(voxel, 4 * k) = 1.0f / float(k + 1);
    tensor->at(voxel, int(voxel % 15)) = 1;
  }
  auto layer = std::make_shared<Layer>();
  layer->name = "peaks";
  layer->content = PeaksLayer{peaks, tensor};
  return layer;
}

TEST_F(MainWindowTest, OffersTheGlyphsThatALayerCanBeDrawnBy) {
  using Shape = scene::GlyphStyle::Shape;
  open();
  const model::LayerId functions = layers().add(manyPeaks({8, 8, 8}));
  auto alone = std::make_shared<Layer>(*manyPeaks({8, 8, 8}));
  std::get<PeaksLayer>(alone->content).tensor = nullptr;
  auto* glyphs = child<QComboBox>("glyphs");
  ASSERT_TRUE(glyphs);
  const auto offers = [&](Shape shape) {
    return glyphs->model()->flags(glyphs->model()->index(int(shape), 0)).testFlag(Qt::ItemIsEnabled);
  };
  ASSERT_TRUE(waitFor([&] { return offers(Shape::lobes); }));
  EXPECT_FALSE(offers(Shape::ellipsoids)) << "of a tensor of order 4";
  glyphs->setCurrentIndex(int(Shape::lobes));
  layers().add(alone);
  ASSERT_TRUE(waitFor([&] { return !offers(Shape::lobes); }));
  EXPECT_EQ(glyphs->currentIndex(), int(Shape::sticks)) << "which is what is drawn";
  layers().setCurrent(functions);
  ASSERT_TRUE(waitFor([&] { return offers(Shape::lobes); }));
  EXPECT_EQ(glyphs->currentIndex(), int(Shape::lobes));
}

TEST_F(MainWindowTest, AnswersWhileALargeSeriesAndManyPeaksAreShown) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "times mean nothing under a sanitizer";
#endif
  open();
  window->resize(1000, 700);
  add(volumeLayer("first"));
  ASSERT_TRUE(waitUntilDrawn());
  const QString file = folder.filePath("series.nii");
  io::saveLayer(volumeLayer("series", {96, 96, 60}, 1, 12), file.toStdString());
  const LayerPtr peaks = manyPeaks({64, 64, 64});

  // First with a few peaks: compiling the shaders is the driver's work, as is starting OpenGL.
  auto* glyphs = child<QComboBox>("glyphs");
  ASSERT_TRUE(glyphs);
  const model::LayerId few = layers().add(manyPeaks({8, 8, 8}));
  for (const auto shape : {scene::GlyphStyle::Shape::lobes, scene::GlyphStyle::Shape::sticks}) {
    glyphs->setCurrentIndex(int(shape));
    ASSERT_TRUE(waitUntilDrawn());
  }
  layers().remove(few);
  ASSERT_TRUE(waitUntilDrawn());

  TurnMeter meter;
  workspace->files().open({file});
  ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
  ASSERT_TRUE(waitUntilDrawn());
  layers().add(peaks);
  for (const auto shape : {scene::GlyphStyle::Shape::sticks, scene::GlyphStyle::Shape::lobes}) {
    glyphs->setCurrentIndex(int(shape));
    ASSERT_TRUE(waitUntilDrawn());
    for (int i = 0; i < 8; ++i) {
      const double at = 20 + 2 * i;
      view().setCrosshair({at, at, at});
      ASSERT_TRUE(waitUntilDrawn());
      window->views().lookFrom("LAPRSI"[i % 6]);
      ASSERT_TRUE(waitUntilDrawn());
    }
  }
  EXPECT_GT(meter.turns(), 100);
  EXPECT_LE(meter.longTurns(), 3) << "a few, where the driver compiles a shader";
  EXPECT_LE(meter.longest(), 120) << "at a processor's slowness of " << meter.slowness();
}

TEST_F(MainWindowTest, BeginsNoLargerThanTheScreen) {  // CTest also runs it at 200 %
  open();
  const QSize room = window->screen()->availableGeometry().size();
  EXPECT_LE(window->width(), room.width());
  EXPECT_LE(window->height(), room.height());
}

TEST_F(MainWindowTest, ShowsAllOfAPageOfTheHelpWithItsPictures) {
  open();
  bool pictures = false;
  for (const auto& [title, page] : helpPages()) {
    SCOPED_TRACE(page.toStdString());
    showHelpPage(window.get(), page, nullptr);
    const std::unique_ptr<QDialog> dialog(window->findChild<QDialog*>("helpPage"));
    QCoreApplication::processEvents();
    const auto* browser = dialog->findChild<QTextBrowser*>();
    for (QTextBlock block = browser->document()->begin(); block.isValid(); block = block.next()) {
      EXPECT_GT(block.layout()->lineCount(), 0) << block.text().toStdString();
      for (auto piece = block.begin(); !piece.atEnd(); ++piece)
        if (piece.fragment().charFormat().isImageFormat()) {
          const QRectF place = browser->document()->documentLayout()->blockBoundingRect(block);
          EXPECT_GT(place.height(), 100);
          pictures = true;
        }
    }
  }
  EXPECT_TRUE(pictures);
}

TEST_F(MainWindowTest, ShowsHelpThatNeedsNoScrollingToTheSide) {
  open();
  const QStringList pages = QDir(":/sulcus/help").entryList({"*.md"});
  EXPECT_GT(pages.size(), 10);
  for (const QString& page : pages) {
    showHelpPage(window.get(), page.section('.', 0, 0), nullptr);
    const std::unique_ptr<QDialog> dialog(window->findChild<QDialog*>("helpPage"));
    QCoreApplication::processEvents();
    EXPECT_EQ(dialog->findChild<QTextBrowser*>()->horizontalScrollBar()->maximum(), 0) << page.toStdString();
  }
}

TEST_F(MainWindowTest, OpensThePaperOfTheAnalysis) {
  open({{}, "no CUDA driver"});
  ASSERT_TRUE(window->trigger("help.paper"));
  const auto* page = window->findChild<QDialog*>("helpPage");
  ASSERT_TRUE(page);
  const QString text = page->findChild<QTextBrowser*>()->toPlainText();
  EXPECT_TRUE(text.startsWith("The papers")) << text.toStdString();
  for (const char* heading : {"Fibers", "Activation", "Registration", "Surface"})
    EXPECT_TRUE(text.contains(QLatin1Char('\n') + QLatin1String(heading) + QLatin1Char('\n'))) << heading;
}

/// Replaces the desktop's browser.
class Visited : public QTextBrowser {
 public:
  QUrl last;

 protected:
  void doSetSource(const QUrl& url, QTextDocument::ResourceType) override { last = url; }
};

TEST_F(MainWindowTest, OpensThePageOfAPaperAtTheExhibitsOfTheAnalysis) {
  open({{}, "no CUDA driver"});
  ASSERT_TRUE(window->trigger("help.paper"));
  auto* const page = window->findChild<QDialog*>("helpPage")->findChild<QTextBrowser*>();
  QFile measured(":/sulcus/help/papers-h200.html");
  ASSERT_TRUE(measured.open(QIODevice::ReadOnly));
  const QString html = QString::fromUtf8(measured.readAll());
  Visited browser;
  QDesktopServices::setUrlHandler("file", &browser, "setSource");
  QStringList fragments;
  for (QTextBlock block = page->document()->begin(); block.isValid(); block = block.next())
    for (auto piece = block.begin(); !piece.atEnd(); ++piece)
      if (const QString link = piece.fragment().charFormat().anchorHref();
          link.startsWith("papers-h200.html#")) {
        page->setSource(QUrl(link));
        EXPECT_EQ(browser.last.fileName(), "sulcus-papers-h200.html");
        fragments << browser.last.fragment();
        EXPECT_TRUE(html.contains("<section id=\"" + fragments.back() + "\">"))
            << fragments.back().toStdString();
      }
  QDesktopServices::unsetUrlHandler("file");
  EXPECT_EQ(fragments,
            QStringList({"ballard-table-3-1", "ferreira-run-times", "lee-table-1", "lee-table-2"}));
}

TEST_F(MainWindowTest, ShowsWhatItIsBuiltWith) {
  open({{}, "no CUDA driver"});
  window->setComponents({{"Sulcus", "1.2.3", "Apache-2.0"}, {"Qt", "6", "LGPL-3.0-only"}});
  ASSERT_TRUE(window->trigger("help.about"));
  const auto* page = window->findChild<QDialog*>("about");
  ASSERT_TRUE(page);
  const QString text = page->findChild<QTextBrowser*>()->toPlainText();
  EXPECT_TRUE(text.startsWith("Sulcus 1.2.3")) << text.toStdString();
  EXPECT_TRUE(text.contains("Qt 6, LGPL-3.0-only")) << text.toStdString();
  EXPECT_TRUE(text.contains("none: no CUDA driver")) << text.toStdString();
}

}  // namespace
}  // namespace sulcus::ui::widgets
