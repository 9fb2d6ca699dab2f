#include "ui/widgets/main_window.h"

#include "core/io/files.h"
#include "tests/ui/fake_analysis.h"
#include "tests/ui/turn_meter.h"
#include "ui/widgets/analysis_panel.h"
#include "ui/widgets/compare_panel.h"
#include "ui/widgets/draw_turns.h"
#include "ui/widgets/status_line.h"
#include "ui/widgets/view_area.h"

#include <QApplication>
#include <QComboBox>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui {
namespace {

using test::oneDevice;
using test::shared;
using test::volumeLayer;

constexpr int kWait = 60000;  ///< ms; only a failure waits that long

struct MainWindowTest : testing::Test {
  QTemporaryDir folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses{test::fakeAnalysis()};
  std::unique_ptr<MainWindow> window;

  void open(const DeviceReport& report) {
    window = std::make_unique<MainWindow>(
        analyses, [report] { return report; }, settings);
    QSignalSpy known(window.get(), &MainWindow::devicesKnown);
    window->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get(), kWait));
    ASSERT_TRUE(known.count() > 0 || known.wait(kWait));
  }
  QPushButton* button(const char* name) { return window->findChild<QPushButton*>(QLatin1String(name)); }
  void click(const char* name) {
    ASSERT_TRUE(button(name)) << name;
    QTest::mouseClick(button(name), Qt::LeftButton);
  }
  bool waitUntilDrawn() {
    return QTest::qWaitFor([this] { return DrawTurns::of(window->view()).idle(); }, kWait);
  }
  bool waitUntilIdle() {
    return QTest::qWaitFor([this] { return window->runs().pending() == 0 && window->jobs().active() == 0; },
                           kWait);
  }
};

TEST_F(MainWindowTest, IsOneClickFromADemoAndOneMoreFromItsResult) {
  open({{}, "no CUDA driver"});
  EXPECT_TRUE(window->layers().empty());
  QSignalSpy loaded(window.get(), &MainWindow::demoLoaded);
  auto* demo = window->findChild<QAbstractButton*>(QStringLiteral("demo.fake"));
  ASSERT_TRUE(demo);
  demo->click();
  ASSERT_TRUE(loaded.wait(kWait));
  EXPECT_EQ(window->layers().layers().size(), 1u);
  EXPECT_EQ(window->view().crosshair(), (Vec3<double>{4, 4, 4}));
  EXPECT_EQ(window->panel("fake")->reason(), "GPU: no CUDA driver");
  EXPECT_FALSE(button("run.gpu")->isEnabled());
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(window->layers().layers().back().name, "product (CPU)");
}

TEST_F(MainWindowTest, RunsBothAndShowsTheComparison) {
  open(oneDevice());
  window->layers().add(shared(volumeLayer("image")));
  click("run.both");
  QSignalSpy compared(&window->runs(), &RunController::compared);
  ASSERT_TRUE(compared.wait(kWait));
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::compare);
  EXPECT_EQ(window->views().shownViews().size(), 3u);
  EXPECT_TRUE(window->comparePanel().isVisible());
  EXPECT_GT(window->comparePanel().table()->model()->rowCount(), 5);
  EXPECT_TRUE(window->comparePanel().model().summary().startsWith("CPU and GPU agree"));
  ASSERT_TRUE(window->trigger("view.compareIn3d"));
  EXPECT_TRUE(window->views().compareIn3d());
  ASSERT_TRUE(window->trigger("view.grid"));
  EXPECT_EQ(window->views().shownViews().size(), 4u);
}

TEST_F(MainWindowTest, ComparesTwoChosenRunsOfOneBackend) {
  open({{}, "built without CUDA"});
  window->layers().add(shared(volumeLayer("image")));
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  window->panel("fake")->presenter().setOption("mode", std::string("doubled"));
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  window->findChild<QTabWidget*>(QStringLiteral("bottom"))->setCurrentWidget(&window->comparePanel());
  QSignalSpy compared(&window->runs(), &RunController::compared);
  click("compare");
  ASSERT_TRUE(compared.wait(kWait));
  EXPECT_TRUE(window->comparePanel().model().summary().startsWith("CPU and CPU 2 differ"));
}

TEST_F(MainWindowTest, CancelsARunAndKeepsWhatIsOnScreen) {
  open({{}, "no CUDA driver"});
  window->layers().add(shared(volumeLayer("image")));
  window->panel("fake")->presenter().setOption("rounds", std::int64_t(100000000));
  click("run.cpu");
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return window->jobs().stateOf(window->jobs().idAt(0)) == JobState::running; }, kWait));
  ASSERT_TRUE(window->trigger("run.cancel"));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(window->jobs().stateOf(window->jobs().idAt(0)), JobState::cancelled);
  EXPECT_EQ(window->layers().layers().size(), 1u);
}

TEST_F(MainWindowTest, ShowsAnErrorAsASentenceAndLosesNothing) {
  open({{}, "no CUDA driver"});
  window->layers().add(shared(volumeLayer("image")));
  window->panel("fake")->presenter().setOption("failing", true);
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  QMessageBox* box = nullptr;
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return (box = window->findChild<QMessageBox*>(QStringLiteral("error"))); }, kWait));
  EXPECT_EQ(box->text(), "The image cannot be used (the test asked for it): switch Fail off");
  EXPECT_TRUE(box->textInteractionFlags() & Qt::TextSelectableByMouse);
  QTest::keyClick(box, Qt::Key_Escape);
  EXPECT_FALSE(window->findChild<QMessageBox*>(QStringLiteral("error")) && box->isVisible());
  EXPECT_EQ(window->layers().layers().size(), 1u);
}

TEST_F(MainWindowTest, ForgetsARunWithTheLastOfItsLayers) {
  open({{}, "no CUDA driver"});
  window->layers().add(shared(volumeLayer("image")));
  click("run.cpu");
  ASSERT_TRUE(waitUntilIdle());
  ASSERT_EQ(window->runs().runs().size(), 1u);
  ASSERT_TRUE(window->trigger("file.closeAll"));
  EXPECT_TRUE(window->runs().runs().empty());
  EXPECT_FALSE(window->views().isVisible());
}

TEST_F(MainWindowTest, FramesTheFirstImageAndMovesNothingForLaterOnes) {
  open({{}, "no CUDA driver"});
  window->layers().add(shared(volumeLayer("first", {20, 20, 20})));
  EXPECT_EQ(window->view().crosshair(), (Vec3<double>{10, 10, 10}));
  window->view().setCrosshair({3, 3, 3});
  window->layers().add(shared(volumeLayer("second", {4, 4, 4})));
  EXPECT_EQ(window->view().crosshair(), (Vec3<double>{3, 3, 3}));
}

TEST_F(MainWindowTest, ObeysTheKeysOfItsCommands) {
  open({{}, "no CUDA driver"});
  const LayerId id = window->layers().add(shared(volumeLayer("image")));
  window->activateWindow();
  ViewArea& views = window->views();
  ASSERT_TRUE(QTest::qWaitFor([&] { return views.isVisible(); }, kWait));
  ASSERT_TRUE(QTest::qWaitFor([&] { return views.isAncestorOf(QApplication::focusWidget()); }, kWait));
  const auto press = [](Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); };
  press(Qt::Key_F);
  EXPECT_FALSE(window->view().crosshairVisible());
  press(Qt::Key_O);
  EXPECT_FALSE(window->view().lettersVisible());
  press(Qt::Key_2);
  EXPECT_EQ(views.layoutShown(), ViewLayout::coronal);
  press(Qt::Key_S);
  EXPECT_EQ(views.layoutShown(), ViewLayout::sagittal);
  press(Qt::Key_0);
  EXPECT_EQ(views.layoutShown(), ViewLayout::grid);
  press(Qt::Key_Space);
  EXPECT_FALSE(window->layers().find(id)->display.visible);
}

TEST_F(MainWindowTest, SwitchesTheConventionByName) {
  open({{}, "no CUDA driver"});
  EXPECT_TRUE(window->view().radiological());
  ASSERT_TRUE(window->trigger("view.neurological"));
  EXPECT_FALSE(window->view().radiological());
  EXPECT_FALSE(window->trigger("view.compare"));
  EXPECT_FALSE(window->trigger("file.save"));
}

TEST_F(MainWindowTest, SaysWhereThePointerIsAndWhatLiesThere) {
  open({{}, "no CUDA driver"});
  window->layers().add(shared(volumeLayer("image")));
  window->view().setCrosshair({1, 0, 0});
  EXPECT_EQ(window->status().positionText(), "R 1.0  A 0.0  S 0.0 mm");
  EXPECT_EQ(window->status().valuesText(), "image: 2");
  EXPECT_TRUE(window->status().deviceText().contains("no CUDA driver"));
}

TEST_F(MainWindowTest, IsNeverBlockedForMoreThanFiftyMillisecondsWhileAJobRuns) {
  open({{}, "no CUDA driver"});
  window->layers().add(shared(volumeLayer("image")));
  ASSERT_TRUE(waitUntilDrawn());  // starting OpenGL is the driver's work
  window->panel("fake")->presenter().setOption("rounds", std::int64_t(100000000));
  click("run.cpu");
  ASSERT_TRUE(QTest::qWaitFor(
      [this] { return window->jobs().stateOf(window->jobs().idAt(0)) == JobState::running; }, kWait));
  TurnMeter meter;
  ASSERT_TRUE(QTest::qWaitFor([&] { return meter.turns() >= 200; }, kWait));
  EXPECT_EQ(window->jobs().active(), 1) << "the job ended too early to say anything";
  EXPECT_LE(meter.longTurns(), 1) << "a processor shared with others may stretch one";
  window->trigger("run.cancel");
  ASSERT_TRUE(waitUntilIdle());
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

TEST_F(MainWindowTest, AnswersWhileALargeSeriesAndManyPeaksAreShown) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "times mean nothing under a sanitizer";
#endif
  open({{}, "no CUDA driver"});
  window->resize(1000, 700);
  window->layers().add(shared(volumeLayer("first")));
  ASSERT_TRUE(waitUntilDrawn());
  const QString file = folder.filePath("series.nii");
  io::saveLayer(volumeLayer("series", {96, 96, 60}, 1, 12), file.toStdString());
  const LayerPtr peaks = manyPeaks({64, 64, 64});

  // Once on a few peaks: compiling the shaders is the driver's work, as starting OpenGL is.
  auto* glyphs = window->findChild<QComboBox*>(QStringLiteral("glyphs"));
  ASSERT_TRUE(glyphs);
  const LayerId few = window->layers().add(manyPeaks({8, 8, 8}));
  for (const auto shape : {GlyphStyle::Shape::lobes, GlyphStyle::Shape::sticks}) {
    glyphs->setCurrentIndex(int(shape));
    ASSERT_TRUE(waitUntilDrawn());
  }
  window->layers().remove(few);
  ASSERT_TRUE(waitUntilDrawn());

  TurnMeter meter;
  window->openFiles({file});
  ASSERT_TRUE(QTest::qWaitFor([this] { return window->files().pending() == 0; }, kWait));
  ASSERT_TRUE(waitUntilDrawn());
  window->layers().add(peaks);
  for (const auto shape : {GlyphStyle::Shape::sticks, GlyphStyle::Shape::lobes}) {
    glyphs->setCurrentIndex(int(shape));
    ASSERT_TRUE(waitUntilDrawn());
    for (int i = 0; i < 8; ++i) {
      const double at = 20 + 2 * i;
      window->view().setCrosshair({at, at, at});
      ASSERT_TRUE(waitUntilDrawn());
      window->views().lookFrom("LAPRSI"[i % 6]);
      ASSERT_TRUE(waitUntilDrawn());
    }
  }
  EXPECT_GT(meter.turns(), 100);
  EXPECT_LE(meter.longTurns(), 3) << "a few, where the driver compiles a shader";
  EXPECT_LE(meter.longest(), 120);
}

}  // namespace
}  // namespace sulcus::ui
