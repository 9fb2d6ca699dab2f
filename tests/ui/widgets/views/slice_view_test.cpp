#include "ui/widgets/views/slice_view.h"

#include <QApplication>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

/// Two series of 2 mm voxels, 40³, bright on the patient's left, in a window of 200 × 200.
class SliceViewInWindow : public testing::Test {
 protected:
  void SetUp() override {
    if (!qEnvironmentVariableIsSet("DISPLAY")) GTEST_SKIP() << "no display: run under xvfb-run";
    static int argc = 1;
    static char name[] = "slice_view_test", *argv[] = {name, nullptr};
    if (!qApp) new QApplication(argc, argv);
    layers = std::make_unique<model::LayerStack>();
    view = std::make_unique<model::ViewState>();
    slice = std::make_unique<SliceView>(*layers, *view, model::Plane::axial);
    Grid grid;
    grid.size = {40, 40, 40};
    grid.worldFromVoxel.m = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}};
    grid.worldFromVoxel.t = {-39, -39, -50};
    auto series = std::make_shared<Series<float>>(grid, 3);
    for (int v = 0; v < 3; ++v)
      for (std::int64_t i = 0; i < grid.voxels(); ++i) series->at(i, v) = grid.voxel(i).x < 20;
    auto layer = std::make_shared<Layer>();
    layer->name = "scan";
    layer->content = VolumeLayer{series, {}, 0, {}};
    layer->display.range = Range{0, 1};
    id = layers->add(layer);
    view->setExtent(100);
    view->setCrosshair({1, 1, 0});
    slice->resize(200, 200);
    slice->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(slice.get()));
    surface = slice->focusProxy();
    settle();
  }
  void TearDown() override { slice.reset(); }
  void settle() {
    for (int i = 0; i < 5; ++i) QApplication::processEvents();
  }
  void wheel(int turned, Qt::KeyboardModifiers keys = {}) {
    const QPointF at(50, 60);
    QWheelEvent event(at, surface->mapToGlobal(at), {}, {0, turned}, Qt::NoButton, keys, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(surface, &event);
  }
  void drag(Qt::MouseButton button, QPoint from, QPoint to) {
    QTest::mousePress(surface, button, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(to), Qt::NoButton, button, {});
    QApplication::sendEvent(surface, &move);
    QTest::mouseRelease(surface, button, {}, to);
  }

  std::unique_ptr<model::LayerStack> layers;
  std::unique_ptr<model::ViewState> view;
  std::unique_ptr<SliceView> slice;
  QWidget* surface = nullptr;
  model::LayerId id = 0;
};

TEST_F(SliceViewInWindow, ShowsThePatientsLeftAtTheRightAndInTheScreenshotToo) {
  view->setCrosshairVisible(false);
  view->setLettersVisible(false);
  const QImage shot = slice->screenshot();
  ASSERT_EQ(shot.size(), QSize(200, 200));
  EXPECT_GT(qGray(shot.pixel(140, 100)), 250);
  EXPECT_LT(qGray(shot.pixel(60, 100)), 5);
  view->setRadiological(false);
  EXPECT_GT(qGray(slice->screenshot().pixel(60, 100)), 250);
}

TEST_F(SliceViewInWindow, HasTheFrontAtTheTopOfTheScreenshot) {
  view->setCrosshair({-20, 30, 0});
  const QImage shot = slice->screenshot();
  const auto isLine = [&](int y) {
    return qRed(shot.pixel(170, y)) < 200 && qGreen(shot.pixel(170, y)) > 200;
  };
  EXPECT_TRUE(isLine(39) || isLine(40));
  EXPECT_FALSE(isLine(159) || isLine(160));
}

/// Counts how often a widget is painted.
struct PaintCounter : QObject {
  int paints = 0;
  bool eventFilter(QObject*, QEvent* event) override {
    paints += event->type() == QEvent::Paint;
    return false;
  }
};

TEST_F(SliceViewInWindow, DrawsOnceForManyChangesAndRestsAfterwards) {
  for (int i = 0; i < 20; ++i) QApplication::processEvents();
  PaintCounter counter;
  surface->installEventFilter(&counter);
  for (int i = 1; i <= 10; ++i) {
    view->setCrosshair({double(i), 0, 0});
    view->setCenter({double(i), 0, 0});
    layers->setVolume(id, i % 3);
  }
  for (int i = 0; i < 20; ++i) QApplication::processEvents();
  EXPECT_EQ(counter.paints, 1);
}

TEST_F(SliceViewInWindow, TakesScreenshotsOfSeveralTimesItsSize) {
  EXPECT_EQ(slice->screenshot(3).size(), QSize(600, 600));
  settle();
  EXPECT_EQ(slice->screenshot(1).size(), QSize(200, 200));
}

TEST_F(SliceViewInWindow, MovesTheCrosshairToTheLeftButton) {
  QTest::mouseClick(surface, Qt::LeftButton, {}, QPoint(40, 60));
  EXPECT_NEAR(view->crosshair().x, 30, 0.5) << "left of the middle is the patient's right";
  EXPECT_NEAR(view->crosshair().y, 20, 0.5);
  EXPECT_EQ(view->crosshair().z, 0);
  drag(Qt::LeftButton, {40, 60}, {100, 140});
  EXPECT_NEAR(view->crosshair().y, -20, 0.5);
}

TEST_F(SliceViewInWindow, TurnsThePlanesByShiftWithTheRightButtonOrArrows) {
  const QPoint from(100, 100), to(100, 140);
  QTest::mousePress(surface, Qt::RightButton, Qt::ShiftModifier, from);
  QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(to), Qt::NoButton, Qt::RightButton,
                   Qt::ShiftModifier);
  QApplication::sendEvent(surface, &move);
  QTest::mouseRelease(surface, Qt::RightButton, Qt::ShiftModifier, to);
  // 40 pixels are 18°. The nose, at the top, comes nearer and down when it is dragged: seen from below, the
  // front of the plane rises.
  const double angle = 18 * std::numbers::pi / 180;
  EXPECT_NEAR(norm(slice->normal() - Vec3<double>{0, -std::sin(angle), std::cos(angle)}), 0, 1e-9);
  EXPECT_EQ(view->crosshair(), (Vec3<double>{1, 1, 0})) << "stays";
  EXPECT_EQ(layers->find(id)->display.range, (Range{0, 1})) << "no other gesture of that button";
  const Vec3<double> tipped = slice->normal();
  QTest::keyClick(surface, Qt::Key_Up, Qt::ShiftModifier);
  QTest::keyClick(surface, Qt::Key_PageUp, Qt::ShiftModifier);
  EXPECT_NEAR(std::acos(dot(slice->normal(), tipped)) * 180 / std::numbers::pi, 5, 1e-6);
  const Vec3<double> normal = slice->normal(), before = view->crosshair();
  wheel(120);
  EXPECT_NEAR(norm(view->crosshair() - before - 2.5 * normal), 0, 1e-9) << "along the oblique normal";
  EXPECT_NEAR(dot(slice->worldAt({10, 170}) - view->crosshair(), normal), 0, 1e-9);
}

TEST_F(SliceViewInWindow, StepsThroughSlicesByTheVoxelSize) {
  wheel(120);
  EXPECT_DOUBLE_EQ(view->crosshair().z, 2.5);
  QTest::keyClick(surface, Qt::Key_PageDown);
  QTest::keyClick(surface, Qt::Key_Down);
  EXPECT_DOUBLE_EQ(view->crosshair().z, -2.5);
  for (int i = 0; i < 3; ++i) wheel(40);  // a high-resolution wheel
  EXPECT_DOUBLE_EQ(view->crosshair().z, 0);
  slice->setPlane(model::Plane::coronal);
  QTest::keyClick(surface, Qt::Key_Up);
  EXPECT_DOUBLE_EQ(view->crosshair().y, 3);
}

TEST_F(SliceViewInWindow, ZoomsAroundTheMouseWithControlAndTheWheel) {
  const Vec3<double> before = slice->worldAt({50, 60});
  wheel(240, Qt::ControlModifier);
  EXPECT_LT(view->extent(), 85);
  EXPECT_LT(norm(slice->worldAt({50, 60}) - before), 1e-9);
  EXPECT_EQ(view->crosshair().z, 0);
}

TEST_F(SliceViewInWindow, PansWithTheMiddleButtonSoThatTheImageFollowsTheMouse) {
  const Vec3<double> grabbed = slice->worldAt({50, 60});
  drag(Qt::MiddleButton, {50, 60}, {80, 110});
  EXPECT_LT(norm(slice->worldAt({80, 110}) - grabbed), 1e-9);
}

TEST_F(SliceViewInWindow, ChangesContrastOrZoomsWithTheRightButtonByTheMouseScheme) {
  drag(Qt::RightButton, {100, 100}, {150, 100});
  const Range range = *layers->find(id)->display.range;
  EXPECT_GT(range.high - range.low, 1.1);
  EXPECT_NEAR(range.high + range.low, 1, 1e-9);
  EXPECT_EQ(view->extent(), 100);
  view->setMouseScheme(model::MouseScheme::zoom);
  drag(Qt::RightButton, {100, 100}, {100, 60});
  EXPECT_LT(view->extent(), 90);
  EXPECT_EQ(*layers->find(id)->display.range, range);
}

TEST_F(SliceViewInWindow, GoesThroughTheVolumesOfASeriesAndStopsAtItsEnds) {
  for (int i = 0; i < 5; ++i) QTest::keyClick(surface, Qt::Key_Right);
  EXPECT_EQ(layers->find(id)->volume, 2);
  for (int i = 0; i < 5; ++i) QTest::keyClick(surface, Qt::Key_Left);
  EXPECT_EQ(layers->find(id)->volume, 0);
}

TEST_F(SliceViewInWindow, ReportsWhatIsUnderTheMouse) {
  std::vector<Vec3<double>> seen;
  QObject::connect(slice.get(), &SliceView::hovered, [&](Vec3<double> world) { seen.push_back(world); });
  const QPoint to(150, 50);
  QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(to), Qt::NoButton, Qt::NoButton, {});
  QApplication::sendEvent(surface, &move);
  ASSERT_FALSE(seen.empty());
  EXPECT_NEAR(seen.back().x, -25, 0.5);
  EXPECT_NEAR(seen.back().y, 25, 0.5);
  EXPECT_EQ(view->crosshair().x, 1) << "hovering moves nothing";
}

TEST_F(SliceViewInWindow, ReportsWhenThePointerLeaves) {
  int left = 0;
  QObject::connect(slice.get(), &SliceView::left, [&] { ++left; });
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(surface, &leave);
  EXPECT_EQ(left, 1);
}

TEST_F(SliceViewInWindow, ADoubleClickLeavesTheCrosshairWhereItWas) {
  const Vec3<double> before = view->crosshair();
  QTest::mouseClick(surface, Qt::LeftButton, {}, {130, 90});
  EXPECT_NE(view->crosshair(), before);
  view->setCrosshair(before);
  QTest::mouseClick(surface, Qt::LeftButton, {}, {130, 90});
  QTest::mouseDClick(surface, Qt::LeftButton, {}, {130, 90});
  EXPECT_EQ(view->crosshair(), before);
}

TEST_F(SliceViewInWindow, AClickNextToTheImageStaysInIt) {
  view->setExtent(2000);
  QTest::mouseClick(surface, Qt::LeftButton, {}, {5, 5});
  const Grid& grid = *gridOf(*layers->find(id)->layer);
  const Vec3<double> voxel = grid.worldFromVoxel.inverse().point(view->crosshair());
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_GE(voxel[axis], -0.5);
    EXPECT_LE(voxel[axis], grid.size[axis] - 0.5);
  }
}

TEST_F(SliceViewInWindow, DrawsOnlyItsLayers) {
  view->setCrosshairVisible(false);
  slice->setShownLayers(std::vector<model::LayerId>{});
  EXPECT_LT(qGray(slice->screenshot().pixel(140, 100)), 5);
  layers->setVisible(id, false);
  slice->setShownLayers(std::vector<model::LayerId>{id});
  EXPECT_GT(qGray(slice->screenshot().pixel(140, 100)), 250)
      << "named layers show although their eye is closed";
  slice->setShownLayers(std::nullopt);
  EXPECT_LT(qGray(slice->screenshot().pixel(140, 100)), 5);
}

TEST_F(SliceViewInWindow, MayGoWithoutHavingBeenShown) {
  SliceView hidden(*layers, *view, model::Plane::coronal);
  hidden.setTitle("CPU");
  EXPECT_TRUE(hidden.screenshot().isNull());
}

TEST_F(SliceViewInWindow, LeavesOtherKeysToTheWindow) {
  QKeyEvent key(QEvent::KeyPress, Qt::Key_Q, Qt::NoModifier, "q");
  QApplication::sendEvent(surface, &key);
  EXPECT_FALSE(key.isAccepted());
}

}  // namespace
}  // namespace sulcus::ui::widgets
