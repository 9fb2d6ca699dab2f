// Displacement fields and image overlays in the window.
#include "core/io/files.h"
#include "tests/ui/scene/glyphs/fields.h"
#include "tests/ui/turn_meter.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/views/view_area.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::shared;
using test::volumeLayer;
using Mode = model::ImageOverlay::Mode;

Grid cube(int n, double spacing) {
  Grid grid;
  grid.size = {n, n, n};
  grid.worldFromVoxel.m = {{{spacing, 0, 0}, {0, spacing, 0}, {0, 0, spacing}}};
  grid.worldFromVoxel.t = -grid.center();
  return grid;
}

LayerPtr constantImage(const std::string& name, const Grid& grid, float value) {
  Layer layer;
  layer.name = name;
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(grid, 1, value), {}, 0, {}};
  layer.display.range = Range{0, 1};
  return shared(std::move(layer));
}

LayerPtr bump(const Grid& grid, double height) {
  return scene::fieldLayer(grid, [height](const Vec3<double>& p) {
    return Vec3<float>{float(height * std::exp(-dot(p, p) / 900)), 0, 0};
  });
}

struct FieldWindowTest : WindowFixture {
  void SetUp() override {
    open();
    window->resize(1000, 700);
    view().setCrosshairVisible(false);
    view().setLettersVisible(false);
  }
  QImage axial() { return window->views().slice(model::Plane::axial)->screenshot(); }
  /// Gray values of the axial view, 8 pixels apart, inside an image that fills it.
  std::vector<int> grays() {
    const QImage shot = axial();
    std::vector<int> values;
    const int reach = std::min(shot.width(), shot.height()) / 4;
    for (int y = -reach; y < reach; y += 8)
      for (int x = -reach; x < reach; x += 8)
        values.push_back(qGray(shot.pixel(shot.width() / 2 + x, shot.height() / 2 + y)));
    return values;
  }
  static double shareOf(const std::vector<int>& values, int low, int high) {
    return double(std::count_if(values.begin(), values.end(),
                                [&](int value) { return value >= low && value <= high; })) /
           double(values.size());
  }
};

TEST_F(FieldWindowTest, ShowsTwoImagesInOnePlaceByOneKeyEach) {
  const Grid grid = cube(50, 4);
  layers().add(constantImage("black", grid, 0));
  layers().add(constantImage("white", grid, 1));
  ASSERT_TRUE(waitForFocus(window->views()));
  ASSERT_TRUE(waitUntilDrawn());
  const model::ImageOverlay& pair = workspace->imageOverlay();
  auto* button = child<QToolButton>("twoImages");

  press(Qt::Key_K);
  EXPECT_EQ(pair.mode(), Mode::checkerboard);
  EXPECT_TRUE(button->isChecked());
  auto values = grays();
  EXPECT_NEAR(shareOf(values, 0, 5), 0.5, 0.1);
  EXPECT_NEAR(shareOf(values, 250, 255), 0.5, 0.1);
  ASSERT_TRUE(child<QSpinBox>("pairTile")->isVisible());

  press(Qt::Key_M);
  auto* share = child<QSlider>("pairShare");
  ASSERT_TRUE(share->isVisible());
  share->setValue(25);
  EXPECT_EQ(shareOf(grays(), 60, 68), 1);
  share->setFocus();
  QTest::keyClick(share, Qt::Key_End);
  EXPECT_EQ(shareOf(grays(), 255, 255), 1);
  window->views().slice(model::Plane::axial)->setFocus();

  press(Qt::Key_B);
  EXPECT_EQ(shareOf(grays(), 255, 255), 1) << "the upper one first";
  QSignalSpy turn(&pair, &model::ImageOverlay::changed);
  ASSERT_TRUE(turn.wait(kWait));
  EXPECT_EQ(shareOf(grays(), 0, 0), 1);
  press(Qt::Key_B);
  EXPECT_EQ(pair.mode(), Mode::off);
  EXPECT_FALSE(button->isChecked());
  EXPECT_FALSE(share->isVisible());
  EXPECT_EQ(shareOf(grays(), 255, 255), 1) << "as it was";
}

TEST_F(FieldWindowTest, IsTwoClicksFromBeforeToAfter) {
  const Grid grid = cube(50, 4);
  layers().add(constantImage("reference", grid, 0));
  layers().add(constantImage("aligned", grid, 0.5f));
  layers().add(constantImage("warped", grid, 1));
  ASSERT_TRUE(waitUntilDrawn());
  QTest::mouseClick(child<QToolButton>("twoImages"), Qt::LeftButton);
  QTest::mouseClick(child<QToolButton>("pairBlend"), Qt::LeftButton);
  child<QSlider>("pairShare")->setValue(0);
  EXPECT_EQ(shareOf(grays(), 126, 130), 1) << "aligned below warped";
  auto* lower = child<QComboBox>("pairLower");
  ASSERT_EQ(lower->count(), 3);
  EXPECT_EQ(lower->currentText(), "aligned");
  lower->setCurrentIndex(lower->findText("reference"));
  emit lower->activated(lower->currentIndex());
  EXPECT_EQ(shareOf(grays(), 0, 2), 1);
  QTest::mouseClick(child<QToolButton>("twoImages"), Qt::LeftButton);
  EXPECT_EQ(workspace->imageOverlay().mode(), Mode::off);
  EXPECT_EQ(shareOf(grays(), 255, 255), 1);
}

TEST_F(FieldWindowTest, SuggestsAResultOverItsInput) {
  const model::LayerId image = layers().add(constantImage("image", cube(8, 2), 1));
  layers().add(constantImage("another", cube(8, 2), 1));
  workspace->presenters().named("fake")->inputs().choose("image", image);
  QSignalSpy idle(&workspace->runs(), &model::RunController::idle);
  ASSERT_TRUE(window->trigger("run.cpu"));
  ASSERT_TRUE(idle.wait(kWait));
  ASSERT_TRUE(window->trigger("view.blend"));
  EXPECT_EQ(workspace->imageOverlay().caption(), "image 50\u00a0%, product (CPU) 50\u00a0%");
}

TEST_F(FieldWindowTest, DrawsAFieldInTheStyleOfItsLayer) {
  const Grid grid = cube(50, 4);
  layers().add(constantImage("image", grid, 0));
  const model::LayerId id = layers().add(bump(grid, 12));
  const model::LayerState& state = *layers().find(id);
  EXPECT_EQ(state.display.colormap, "yellow-red") << "asks for nothing: not gray on gray";
  EXPECT_GT(state.display.range->high, 1);
  EXPECT_LE(state.display.range->high, 12);
  EXPECT_EQ(state.display.range->low, 0);
  ASSERT_TRUE(waitUntilDrawn());
  const auto litShare = [&] { return shareOf(grays(), 40, 255); };
  const double grid4 = litShare();
  EXPECT_GT(grid4, 0.02);
  EXPECT_LT(grid4, 0.6);
  auto* shape = child<QComboBox>("fieldShape");
  ASSERT_TRUE(shape->isVisible());
  child<QSpinBox>("fieldEvery")->setValue(1);
  EXPECT_GT(litShare(), grid4) << "more lines";
  shape->setCurrentIndex(int(scene::FieldStyle::Shape::magnitude));
  EXPECT_GT(litShare(), 0.95);
  EXPECT_FALSE(child<QSpinBox>("fieldEvery")->isVisible());
  EXPECT_TRUE(child<QComboBox>("colormap")->isVisible());
  shape->setCurrentIndex(int(scene::FieldStyle::Shape::arrows));
  child<QComboBox>("fieldColor")->setCurrentIndex(int(scene::FieldStyle::Color::direction));
  EXPECT_FALSE(child<QComboBox>("colormap")->isVisible()) << "directions have their own colors";
  const QImage withAffine = axial();
  child<QCheckBox>("fieldWithoutAffine")->click();
  EXPECT_TRUE(window->views().styles().fields.withoutAffine);
  EXPECT_NE(axial(), withAffine);
}

TEST_F(FieldWindowTest, SaysByWhichConventionAFieldWasReadAndTurnsItOnRequest) {
  const QString file = folder.filePath("warp.nii.gz");
  io::saveLayer(*scene::fieldLayer(cube(6, 2),
                                   [](auto) {
                                     return Vec3<float>{3, -2, 1};
                                   }),
                file.toStdString());
  workspace->files().open({file});
  ASSERT_TRUE(waitFor([&] { return layers().layers().size() == 1; }));
  const model::LayerId id = layers().current();
  auto* convention = child<QComboBox>("fieldConvention");
  ASSERT_TRUE(convention->isVisible());
  EXPECT_EQ(convention->currentIndex(), int(FieldConvention::itk));
  const auto vectorNow = [&] {
    const auto& u = *std::get<DisplacementLayer>(layers().find(id)->layer->content).displacement;
    return Vec3<float>{u.at(0, 0), u.at(0, 1), u.at(0, 2)};
  };
  EXPECT_EQ(vectorNow(), (Vec3<float>{3, -2, 1}));
  QSignalSpy turned(&layers(), &model::LayerStack::contentChanged);
  emit convention->activated(int(FieldConvention::slicer));
  ASSERT_TRUE(turned.wait(kWait));
  EXPECT_EQ(vectorNow(), (Vec3<float>{-3, 2, 1}));
  EXPECT_EQ(convention->currentIndex(), int(FieldConvention::slicer));
  auto* card = child<QLabel>("card");
  EXPECT_TRUE(card->text().contains("Read as 3D Slicer writes it (RAS), as chosen here."))
      << card->text().toStdString();
  EXPECT_TRUE(card->text().contains("intent 1007")) << "what the file says stays";
  emit convention->activated(int(FieldConvention::itk));
  ASSERT_TRUE(turned.wait(kWait));
  EXPECT_EQ(vectorNow(), (Vec3<float>{3, -2, 1}));
  EXPECT_FALSE(card->text().contains("3D Slicer"));
}

TEST_F(FieldWindowTest, AnswersWhileLargeFieldsAreDrawn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "times mean nothing under a sanitizer";
#endif
  auto* shape = child<QComboBox>("fieldShape");
  const auto allShapes = [&](int steps) {
    for (const auto one : {scene::FieldStyle::Shape::grid, scene::FieldStyle::Shape::arrows,
                           scene::FieldStyle::Shape::magnitude}) {
      shape->setCurrentIndex(int(one));
      ASSERT_TRUE(waitUntilDrawn());
      for (int i = 0; i < steps; ++i) {
        const double at = 3.0 * i - 10;
        view().setCrosshair({at, at, at});
        ASSERT_TRUE(waitUntilDrawn());
      }
    }
  };
  // First with a small one: compiling the shaders is the driver's work.
  const model::LayerId small = layers().add(bump(cube(8, 4), 5));
  allShapes(1);
  const auto large = {bump(cube(256, 1), 20), bump(cube(91, 2), 20)};
  for (const LayerPtr& field : large) {
    TurnMeter meter;
    const model::LayerId id = layers().add(field);
    child<QSpinBox>("fieldEvery")->setValue(0);
    allShapes(6);
    child<QSpinBox>("fieldEvery")->setValue(1);
    allShapes(3);
    EXPECT_GT(meter.turns(), 60);
    EXPECT_LE(meter.longTurns(), 3) << "a few, where the driver compiles a shader";
    EXPECT_LE(meter.longest(), 120) << "at a processor's slowness of " << meter.slowness();
    layers().remove(id);
  }
  layers().remove(small);
}

}  // namespace
}  // namespace sulcus::ui::widgets
