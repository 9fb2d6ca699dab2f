// Layouts, positions, image overlays and series in the window.
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/model/layers/readout.h"
#include "ui/model/views/lightbox.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/scene_layers.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/status_line.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {

using test::volumeLayer;

class LookingWindowTest : public WindowFixture {
 protected:
  ViewArea& views() { return window->views(); }
  void openFocused() {
    open();
    add(volumeLayer("image", {20, 24, 30}));
    ASSERT_TRUE(waitForFocus(views()));
  }
  static void doubleClick(SceneView* view) {
    QTest::mouseDClick(view->focusProxy(), Qt::LeftButton, {}, view->rect().center());
  }
};

TEST_F(LookingWindowTest, TurnsAllViewsByKeysAndBack) {
  openFocused();
  Layer tilted = volumeLayer("tilted", {16, 18, 20});
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(tilted.content).series);
  const double c = std::cos(0.3), s = std::sin(0.3);
  series->grid.worldFromVoxel.m = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
  std::get<VolumeLayer>(tilted.content).series = std::move(series);
  add(std::move(tilted));
  const Vec3<double> crosshair = view().crosshair();
  press(Qt::Key_T, Qt::ShiftModifier);
  EXPECT_NEAR(norm(views().slice(model::Plane::axial)->normal() - Vec3<double>{0, -s, c}), 0, 1e-12);
  EXPECT_NEAR(norm(views().slice(model::Plane::coronal)->normal() - Vec3<double>{0, c, s}), 0, 1e-12);
  views().slice(model::Plane::sagittal)->setFocus();
  press(Qt::Key_Left, Qt::ShiftModifier);
  press(Qt::Key_PageDown, Qt::ShiftModifier);
  EXPECT_NE(view().normalOf(model::Plane::sagittal), (Vec3<double>{1, 0, 0}));
  EXPECT_EQ(view().crosshair(), crosshair);
  ASSERT_TRUE(waitUntilDrawn());
  keep("oblique");
  press(Qt::Key_T);
  EXPECT_EQ(view().turn(), SliceTurn());
  press(Qt::Key_T, Qt::ShiftModifier);
  press(Qt::Key_R);
  EXPECT_EQ(view().turn(), SliceTurn());
}

TEST_F(LookingWindowTest, ColorBarsKeepWhatDistinguishesLongNames) {
  open();
  for (const char* run : {"run-1", "run-2"})
    add(volumeLayer(std::string("sub-01_task-rest_") + run + "_space-MNI152NLin2009cAsym_desc-preproc_bold"));
  auto* canvas = views().slice(model::Plane::axial)->findChild<Canvas*>();
  ASSERT_TRUE(canvas);
  SceneLayers shown(layers(), view(), canvas);
  const auto drawn = shown.takeChanged();
  ASSERT_TRUE(drawn && drawn->size() == 2);
  EXPECT_NE(drawn->front().name.find("run-1"), std::string::npos) << drawn->front().name;
  EXPECT_LE(QString::fromStdString(drawn->front().name).size(), 40) << drawn->front().name;
}

TEST_F(LookingWindowTest, ShowsTheSpaceNextToTheSlicesAndALightbox) {
  openFocused();
  press(Qt::Key_7);
  EXPECT_EQ(views().layoutShown(), ViewLayout::beside);
  ASSERT_TRUE(waitUntilDrawn());
  ASSERT_EQ(views().shownViews().size(), 4u);
  for (const model::Plane plane : {model::Plane::axial, model::Plane::coronal, model::Plane::sagittal}) {
    EXPECT_GT(views().slice(plane)->x(), views().scene()->width() - 2);
    EXPECT_LT(views().slice(plane)->height(), views().scene()->height() / 2);
  }
  keep("layout_beside");
  press(Qt::Key_8);
  EXPECT_EQ(views().shownViews(), std::vector<SceneView*>{views().lightbox()});
  EXPECT_EQ(views().lightbox()->places().size(), 24u);
  ASSERT_TRUE(waitUntilDrawn());
  keep("layout_lightbox");
  press(Qt::Key_S);
  EXPECT_EQ(views().lightboxLook().plane, model::Plane::sagittal);
  EXPECT_EQ(views().lightbox()->places().size(), 20u) << "as many as there are slices";
  child<QSpinBox>("lightboxColumns")->setValue(2);
  child<QSpinBox>("lightboxRows")->setValue(1);
  EXPECT_EQ(views().lightbox()->places().size(), 2u);
  press(Qt::Key_0);
  EXPECT_EQ(views().shownViews().size(), 4u);
  EXPECT_FALSE(child<QSpinBox>("lightboxRows")->isVisible());
}

TEST_F(LookingWindowTest, BringsBackWhatWasThereBeforeAViewWasAlone) {
  openFocused();
  for (const ViewLayout before : {ViewLayout::grid, ViewLayout::beside}) {
    views().setLayoutShown(before);
    doubleClick(views().slice(model::Plane::coronal));
    EXPECT_EQ(views().layoutShown(), ViewLayout::coronal);
    doubleClick(views().slice(model::Plane::coronal));
    EXPECT_EQ(views().layoutShown(), before);
  }
  views().setLayoutShown(ViewLayout::lightbox);
  doubleClick(views().lightbox());
  EXPECT_EQ(views().layoutShown(), ViewLayout::axial);
  doubleClick(views().slice(model::Plane::axial));
  EXPECT_EQ(views().layoutShown(), ViewLayout::lightbox);
}

TEST_F(LookingWindowTest, BringsTheCrosshairToTheSliceThatIsClicked) {
  openFocused();
  views().setLightboxLook({model::Plane::axial, 2, 1});
  press(Qt::Key_8);
  ASSERT_TRUE(waitUntilDrawn());
  LightboxView* lightbox = views().lightbox();
  const std::vector<double> places = lightbox->places();
  QTest::mouseClick(lightbox->focusProxy(), Qt::LeftButton, {},
                    QPoint(3 * lightbox->width() / 4, lightbox->height() / 2));
  EXPECT_EQ(view().crosshair().z, places[1]);
  QTest::mouseClick(lightbox->focusProxy(), Qt::LeftButton, {},
                    QPoint(lightbox->width() / 2 + 2, lightbox->height() / 2));
  EXPECT_EQ(view().crosshair(), model::clampedToVoxels(layers(), view().crosshair())) << "beside the image";
  press(Qt::Key_PageUp);
  EXPECT_EQ(lightbox->places()[0], places[0] + 1);
  ASSERT_TRUE(window->trigger("view.reset"));
  EXPECT_EQ(lightbox->places(), places);
}

TEST_F(LookingWindowTest, KeepsTheLayoutInASession) {
  openFocused();
  views().setLightboxLook({model::Plane::coronal, 5, 3});
  views().setLayoutShown(ViewLayout::lightbox);
  view().setScaleBarVisible(false);
  workspace->imageOverlay().setRate(3);
  const QString file = folder.filePath("looked.sulcus");
  workspace->session().save(file);
  ASSERT_TRUE(waitFor([&] { return workspace->files().pending() == 0; }));
  open();
  window->openFiles({file});
  ASSERT_TRUE(waitFor([&] { return !layers().empty() && views().layoutShown() == ViewLayout::lightbox; }));
  EXPECT_EQ(views().lightboxLook(), (model::LightboxLook{model::Plane::coronal, 5, 3}));
  EXPECT_FALSE(view().scaleBarVisible());
  EXPECT_EQ(workspace->imageOverlay().rate(), 3);
}

TEST_F(LookingWindowTest, GoesToAPlaceThatIsTyped) {
  openFocused();
  auto* position = child<QLineEdit>("position");
  ASSERT_TRUE(window->trigger("view.goTo"));
  ASSERT_TRUE(waitFor([&] { return position->hasFocus(); }));
  position->setText("R 7 A 8 S 9");
  press(Qt::Key_Return);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{7, 8, 9}));
  EXPECT_TRUE(views().isAncestorOf(QApplication::focusWidget())) << "keys are the views' again";
  auto* voxel = child<QLineEdit>("voxel");
  voxel->setFocus();
  voxel->setText("3 4 99");
  press(Qt::Key_Return);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{7, 8, 9})) << "there is no such voxel";
  voxel->setText("3 4 5");
  press(Qt::Key_Return);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{3, 4, 5}));
  ASSERT_TRUE(window->trigger("view.goTo"));
  position->setText("1 1");
  press(Qt::Key_Escape);
  ASSERT_TRUE(waitFor([&] { return position->text() == "R 3.0  A 4.0  S 5.0 mm"; }));
}

TEST_F(LookingWindowTest, WipesByDraggingTheEdgeInASlice) {
  openFocused();
  add(volumeLayer("other", {20, 24, 30}));
  press(Qt::Key_W);
  EXPECT_EQ(workspace->imageOverlay().mode(), model::ImageOverlay::Mode::wipe);
  ASSERT_TRUE(waitUntilDrawn());
  SliceView* slice = views().slice(model::Plane::axial);
  QWidget* surface = slice->focusProxy();
  const Vec3<double> crosshair = view().crosshair();
  const QPoint edge(surface->width() / 2, surface->height() / 3),
      to(surface->width() / 4, surface->height() / 3);
  QTest::mousePress(surface, Qt::LeftButton, {}, edge);
  QMouseEvent move(QEvent::MouseMove, to, surface->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(surface, &move);
  QTest::mouseRelease(surface, Qt::LeftButton, {}, to);
  EXPECT_NEAR(workspace->imageOverlay().share(), 0.25, 0.01);
  EXPECT_EQ(view().crosshair(), crosshair) << "the edge was dragged, not the crosshair";
  QTest::mouseClick(surface, Qt::LeftButton, {}, QPoint(3 * surface->width() / 4, surface->height() / 3));
  EXPECT_NE(view().crosshair(), crosshair);
  EXPECT_NEAR(workspace->imageOverlay().share(), 0.25, 0.01);
}

TEST_F(LookingWindowTest, MakesADifferenceAndAMeanAsLayers) {
  openFocused();
  add(volumeLayer("series", {20, 24, 30}, 5, 4));
  ASSERT_TRUE(window->trigger("view.agreement"));
  ASSERT_TRUE(waitFor([&] { return named("agreement of series and image") != nullptr; }));
  const model::LayerId table = named("agreement of series and image")->id;
  auto* shown = child<QDialog>(qPrintable(QStringLiteral("table.%1").arg(table)));
  ASSERT_TRUE(shown) << "what was asked for is on screen";
  EXPECT_TRUE(std::ranges::any_of(shown->findChildren<QLabel*>(),
                                  [](const QLabel* label) { return label->text().contains("correlation"); }));
  shown->close();
  press(Qt::Key_D);
  ASSERT_TRUE(waitFor([&] { return named(QString::fromUtf8("series \xE2\x88\x92 image")) != nullptr; }));
  const model::LayerState* difference = named(QString::fromUtf8("series \xE2\x88\x92 image"));
  EXPECT_EQ(std::get<VolumeLayer>(difference->layer->content).series->values.front(), 4);
  EXPECT_TRUE(difference->unsaved);
  EXPECT_FALSE(window->trigger("layer.mean")) << "the difference is no series";
  layers().setCurrent(named("series")->id);
  ASSERT_TRUE(window->trigger("layer.mean"));
  ASSERT_TRUE(waitFor([&] { return named("mean of series") != nullptr; }));
}

TEST_F(LookingWindowTest, TakesTheTwoImagesThatAreChosenInTheList) {
  openFocused();
  add(volumeLayer("second", {20, 24, 30}, 2));
  add(volumeLayer("third", {20, 24, 30}, 3));
  auto* list = child<QListView>("layers");
  list->selectionModel()->select(list->model()->index(0, 0), QItemSelectionModel::ClearAndSelect);
  list->selectionModel()->select(list->model()->index(2, 0), QItemSelectionModel::Select);
  ASSERT_TRUE(window->trigger("view.difference"));
  ASSERT_TRUE(waitFor([&] { return named(QString::fromUtf8("third \xE2\x88\x92 image")) != nullptr; }));
}

TEST_F(LookingWindowTest, OffersTheUppermostImageFirstToBeOpaqueBy) {
  openFocused();
  add(volumeLayer("second", {20, 24, 30}, 2));
  add(volumeLayer("third", {20, 24, 30}, 3));
  layers().setCurrent(named("image")->id);
  auto* images = child<QComboBox>("opacityBy");
  EXPECT_EQ(images->itemText(1), "third");
  EXPECT_EQ(images->itemText(2), "second");
}

TEST_F(LookingWindowTest, ShowsAnImageAsABodyByOneCheckBox) {
  openFocused();
  ASSERT_TRUE(waitUntilDrawn());
  const QImage planes = views().scene()->screenshot();
  auto* body = child<QCheckBox>("rendered");
  auto* cut = child<QComboBox>("cut");
  EXPECT_FALSE(cut->isVisible()) << "there is nothing to be cut";
  body->click();
  const model::LayerState& image = layers().layers().front();
  EXPECT_TRUE(image.display.rendered);
  EXPECT_TRUE(cut->isVisible());
  EXPECT_EQ(cut->currentData().toInt(), int(Cut::octant));
  ASSERT_TRUE(waitUntilDrawn());
  const QImage open = views().scene()->screenshot();
  EXPECT_NE(open, planes);
  std::vector<QImage> seen{planes, open};
  for (const Cut how : {Cut::nothing, Cut::axial, Cut::coronal, Cut::sagittal, Cut::facing}) {
    cut->setCurrentIndex(cut->findData(int(how)));
    emit cut->activated(cut->currentIndex());
    EXPECT_EQ(image.display.cut, how);
    ASSERT_TRUE(waitUntilDrawn());
    const QImage picture = views().scene()->screenshot();
    for (const QImage& other : seen) EXPECT_NE(picture, other) << int(how);
    seen.push_back(picture);
  }
}

TEST_F(LookingWindowTest, PlaysASeriesAndStepsThroughItByKeys) {
  openFocused();
  const model::LayerId id = add(volumeLayer("series", {20, 24, 30}, 5, 4));
  workspace->player().setRate(30);
  press(Qt::Key_V);
  EXPECT_TRUE(child<QAbstractButton>("play")->isChecked());
  ASSERT_TRUE(waitFor([&] { return layers().find(id)->volume == 2; }));
  press(Qt::Key_V);
  EXPECT_FALSE(workspace->player().isPlaying());
  const int volume = layers().find(id)->volume;
  press(Qt::Key_N, Qt::ShiftModifier);
  EXPECT_EQ(layers().find(id)->volume, std::max(0, volume - 1));
  press(Qt::Key_N);
  EXPECT_EQ(layers().find(id)->volume, std::max(1, volume));
}

}  // namespace
}  // namespace sulcus::ui::widgets
