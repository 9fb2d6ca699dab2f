#include "ui/widgets/views/view_3d.h"

#include <QApplication>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

/// A volume that is bright on the patient's right, in two 3D views of one view state.
class TwoView3d : public testing::Test {
 protected:
  void SetUp() override {
    if (!qEnvironmentVariableIsSet("DISPLAY")) GTEST_SKIP() << "no display: run under xvfb-run";
    static int argc = 1;
    static char name[] = "view_3d_test", *argv[] = {name, nullptr};
    if (!qApp) new QApplication(argc, argv);
    layers = std::make_unique<model::LayerStack>();
    view = std::make_unique<model::ViewState>();
    Grid grid;
    grid.size = {20, 20, 20};
    grid.worldFromVoxel.t = {-9.5, -9.5, -9.5};
    auto series = std::make_shared<Series<float>>(grid, 1);
    for (std::int64_t i = 0; i < grid.voxels(); ++i) series->at(i, 0) = grid.voxel(i).x >= 10;
    auto layer = std::make_shared<Layer>();
    layer->content = VolumeLayer{series, {}, 0, {}};
    layer->display.range = Range{0, 1};
    layers->add(layer);
    for (auto& one : views) {
      one = std::make_unique<View3d>(*layers, *view);
      one->resize(160, 160);
      one->show();
      ASSERT_TRUE(QTest::qWaitForWindowExposed(one.get()));
    }
  }
  void TearDown() override {
    for (auto& one : views) one.reset();
  }
  static bool brightAtLeft(const QImage& shot) {
    return qGray(shot.pixel(60, 70)) > 200 && qGray(shot.pixel(100, 70)) < 60;
  }
  static bool brightAtRight(const QImage& shot) {
    return qGray(shot.pixel(60, 70)) < 60 && qGray(shot.pixel(100, 70)) > 200;
  }

  std::unique_ptr<model::LayerStack> layers;
  std::unique_ptr<model::ViewState> view;
  std::unique_ptr<View3d> views[2];
};

TEST_F(TwoView3d, LookFromTheRequestedSideTogether) {
  views[0]->lookFrom('A');
  EXPECT_TRUE(brightAtLeft(views[0]->screenshot())) << "the patient faces the viewer";
  EXPECT_TRUE(brightAtLeft(views[1]->screenshot()));
  views[1]->lookFrom('P');
  EXPECT_TRUE(brightAtRight(views[0]->screenshot()));
  EXPECT_TRUE(brightAtRight(views[1]->screenshot()));
}

TEST_F(TwoView3d, FitWhatAppearsAfterwardsWhereNothingWasToBeSeen) {
  const model::LayerId image = layers->layers().front().id;
  layers->setVisible(image, false);
  views[0]->lookFromFront();
  layers->setVisible(image, true);
  const QImage shot = views[0]->screenshot();
  int lit = 0;
  for (int y = 0; y < shot.height(); ++y)
    for (int x = 0; x < shot.width(); ++x) lit += qGray(shot.pixel(x, y)) > 200;
  EXPECT_GT(lit, 100);
  for (const auto& [x, y] : {std::pair{2, 2}, {157, 2}, {2, 157}})
    EXPECT_LT(qGray(shot.pixel(x, y)), 60) << "all of it is seen, from outside";
}

TEST_F(TwoView3d, TurnTogetherWithTheLeftMouseButton) {
  views[0]->lookFrom('A');
  const QImage before = views[1]->screenshot();
  QWidget* surface = views[0]->focusProxy();
  QTest::mousePress(surface, Qt::LeftButton, {}, QPoint(80, 80));
  for (int x = 80; x <= 140; x += 10) {
    const QPoint to(x, 90);
    QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(surface, &move);
  }
  QTest::mouseRelease(surface, Qt::LeftButton, {}, QPoint(140, 90));
  const QImage turned = views[1]->screenshot();
  EXPECT_NE(turned, before);
  EXPECT_EQ(turned, views[0]->screenshot());
}

TEST_F(TwoView3d, TakeScreenshotsOfSeveralTimesTheirSize) {
  EXPECT_EQ(views[0]->screenshot(2).size(), QSize(320, 320));
}

}  // namespace
}  // namespace sulcus::ui::widgets
