// Views in separate windows, views with their own position, and bookmarks.
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/color_bar_strip.h"
#include "ui/widgets/views/view_area.h"

#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QTableView>

namespace sulcus::ui::widgets {
namespace {

using test::volumeLayer;

struct ViewWindows : WindowFixture {
  void SetUp() override {
    open();
    window->resize(1200, 800);
    add(volumeLayer("image", {20, 24, 30}));
    ASSERT_TRUE(waitUntilDrawn());
  }
  ViewArea& views() { return window->views(); }
  SliceView* slice(model::Plane plane) { return views().slice(plane); }
  void focus(QWidget* view) {
    ASSERT_TRUE(waitFor([&] {
      view->window()->activateWindow();
      view->setFocus();
      return view->isAncestorOf(QApplication::focusWidget());
    }));
  }
  void saveAndOpenAgain() {
    const QString file = folder.filePath("views.sulcus");
    workspace->session().save(file);
    ASSERT_TRUE(waitFor([&] { return workspace->files().pending() == 0; }));
    open();
    QSignalSpy opened(&workspace->session(), &model::Session::opened);
    workspace->session().open(file);
    ASSERT_TRUE(opened.count() > 0 || opened.wait(kWait));
  }
};

TEST_F(ViewWindows, AViewStandsInAWindowOfItsOwnAndGoesBack) {
  SliceView* coronal = slice(model::Plane::coronal);
  const QSize before = slice(model::Plane::sagittal)->size();
  ASSERT_TRUE(window->trigger("view.detachCoronal"));
  QWidget* own = coronal->window();
  ASSERT_NE(own, window.get());
  ASSERT_TRUE(QTest::qWaitForWindowExposed(own, kWait));
  EXPECT_TRUE(own->windowTitle().contains("Coronal"));
  EXPECT_EQ(views().shownViews().size(), 3U);
  keep("detached_window");
  ASSERT_TRUE(waitUntilDrawn());
  const QImage here = coronal->screenshot();
  EXPECT_FALSE(here.isNull());
  view().setCrosshair({5, 6, 7});
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_NE(coronal->screenshot(), here) << "it follows the crosshair";
  focus(coronal);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F);
  EXPECT_FALSE(view().crosshairVisible()) << "the keys of the window hold there";
  ASSERT_TRUE(window->trigger("view.coronal"));
  EXPECT_EQ(views().layoutShown(), ViewLayout::grid) << "it has its window";
  for (const char* other : {"view.detachAxial", "view.detachSagittal"}) ASSERT_TRUE(window->trigger(other));
  EXPECT_FALSE(window->trigger("view.detachScene")) << "one stays";
  ASSERT_TRUE(window->trigger("view.detachAxial"));
  ASSERT_TRUE(window->trigger("view.detachSagittal"));
  own->close();
  EXPECT_EQ(coronal->window(), window.get());
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_EQ(slice(model::Plane::sagittal)->size(), before);
  EXPECT_EQ(views().shownViews().size(), 4U);
}

TEST_F(ViewWindows, ASliceThatIsNotLinkedLooksWhereItDid) {
  SliceView *axial = slice(model::Plane::axial), *coronal = slice(model::Plane::coronal);
  view().setCrosshair({10, 12, 15});
  focus(axial);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_U);
  EXPECT_FALSE(axial->isLinked());
  EXPECT_TRUE(coronal->isLinked());
  ASSERT_TRUE(waitUntilDrawn());
  const QImage before = axial->screenshot();
  keep("unlinked");
  view().setCrosshair({5, 6, 7});
  view().setExtent(0.5 * view().extent());
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_EQ(axial->screenshot(), before);
  const Vec3<double> center = view().center();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
  EXPECT_EQ(axial->place().crosshair().z, 16) << "a slice on";
  EXPECT_EQ(view().crosshair(), (Vec3<double>{5, 6, 7}));
  auto* canvas = axial->findChild<Canvas*>();
  QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->rect().center());
  EXPECT_EQ(view().crosshair(), (Vec3<double>{5, 6, 7}));
  EXPECT_EQ(view().center(), center);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_U);
  EXPECT_TRUE(axial->isLinked());
  EXPECT_EQ(axial->place().crosshair(), (Vec3<double>{5, 6, 7}));
}

TEST_F(ViewWindows, SessionsHaveWhatIsDetachedAndNotLinked) {
  ASSERT_TRUE(window->trigger("view.detachScene"));
  views().scene()->window()->setGeometry(300, 200, 500, 400);
  focus(slice(model::Plane::sagittal));
  ASSERT_TRUE(window->trigger("view.unlink"));
  view().setCrosshair({1, 2, 3});
  slice(model::Plane::sagittal)->place().setCrosshair({4, 5, 6});
  slice(model::Plane::sagittal)->place().setExtent(50);
  saveAndOpenAgain();
  ASSERT_TRUE(waitFor([&] { return views().grid().isDetached(3); }));
  EXPECT_EQ(views().scene()->window()->size(), QSize(500, 400));
  const SliceView* sagittal = slice(model::Plane::sagittal);
  EXPECT_FALSE(sagittal->isLinked());
  EXPECT_EQ(sagittal->place().crosshair(), (Vec3<double>{4, 5, 6}));
  EXPECT_EQ(sagittal->place().extent(), 50);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{1, 2, 3}));
  ASSERT_TRUE(window->trigger("view.reset"));
  EXPECT_TRUE(sagittal->isLinked()) << "reset links all again";
}

TEST_F(ViewWindows, SessionsHaveThePanelsAsTheyStood) {
  const auto dock = [this](const char* name) { return child<QDockWidget>(name); };
  window->resizeDocks({dock("layersDock")}, {340}, Qt::Horizontal);
  ASSERT_TRUE(window->trigger("view.analysisPanel"));
  window->bottom().open(&window->plotsPanel());
  ASSERT_TRUE(waitUntilDrawn());
  window->resizeDocks({dock("bottomDock")}, {200}, Qt::Vertical);
  ASSERT_TRUE(
      waitFor([&] { return dock("bottomDock")->height() == 200 && dock("layersDock")->width() == 340; }));
  saveAndOpenAgain();
  EXPECT_TRUE(waitFor([&] { return dock("bottomDock")->height() == 200; })) << dock("bottomDock")->height();
  EXPECT_EQ(window->bottom().current(), &window->plotsPanel());
  EXPECT_FALSE(window->bottom().folded());
  EXPECT_FALSE(dock("analysisDock")->isVisible());
  EXPECT_EQ(dock("layersDock")->width(), 340);

  window->bottom().setFolded(true);
  saveAndOpenAgain();
  EXPECT_TRUE(window->bottom().folded());
  EXPECT_EQ(window->bottom().current(), &window->plotsPanel());
  window->bottom().setFolded(false);
  EXPECT_TRUE(waitFor([&] { return dock("bottomDock")->height() == 200; })) << dock("bottomDock")->height();
}

TEST_F(ViewWindows, SessionsHaveThePanelsInWindowsOfTheirOwn) {
  const auto layersDock = [this] { return child<QDockWidget>("layersDock"); };
  ASSERT_TRUE(window->trigger("view.floatLayers"));
  const QRect place(200, 150, 420, 500);
  ASSERT_TRUE(QTest::qWaitForWindowExposed(layersDock()));
  layersDock()->setGeometry(place);
  ASSERT_TRUE(waitFor([&] { return layersDock()->geometry() == place; }));
  saveAndOpenAgain();
  ASSERT_TRUE(waitFor([&] { return layersDock()->isFloating() && layersDock()->isVisible(); }));
  EXPECT_TRUE(waitFor([&] { return layersDock()->geometry() == place; }));
  EXPECT_FALSE(child<QDockWidget>("analysisDock")->isFloating());
  ASSERT_TRUE(window->trigger("view.floatLayers"));
  saveAndOpenAgain();
  EXPECT_FALSE(layersDock()->isFloating());
}

TEST_F(ViewWindows, TheSceneHasABackgroundAndALightOfChoice) {
  layers().setVisible(layers().current(), false);
  ASSERT_TRUE(waitUntilDrawn());
  View3d* scene = views().scene();
  const auto corner = [&] {
    EXPECT_TRUE(waitUntilDrawn());
    const QImage picture = scene->screenshot();
    return picture.pixelColor(picture.width() / 2, picture.height() - 4);
  };
  EXPECT_LT(corner().red(), 30);
  ASSERT_TRUE(window->trigger("view.backgroundBlack"));
  EXPECT_EQ(corner(), QColor(Qt::black));
  ASSERT_TRUE(window->trigger("view.backgroundWhite"));
  EXPECT_EQ(corner(), QColor(Qt::white));
  Layer surface;
  surface.name = "surface";
  surface.content =
      MeshLayer{std::make_shared<const Mesh>(Mesh{{{0, 0, 0}, {20, 0, 0}, {0, 20, 0}}, {{0, 1, 2}}, {}, {}})};
  add(std::move(surface));
  views().lookFrom('S');
  const auto middle = [&] {
    EXPECT_TRUE(waitUntilDrawn());
    const QImage picture = scene->screenshot();
    return picture.pixelColor(picture.width() / 2 - 20, picture.height() / 2 + 20).red();
  };
  const int normal = middle();
  ASSERT_TRUE(window->trigger("view.lightWeak"));
  EXPECT_LT(middle(), normal - 20);
  keep("white_background");
  saveAndOpenAgain();
  EXPECT_EQ(views().styles().scene, (scene::SceneStyle{scene::SceneStyle::Background::white, 0.65}));
}

TEST_F(ViewWindows, KeepPlacesByKeysAndListThem) {
  focus(slice(model::Plane::axial));
  view().setCrosshair({1, 2, 3});
  press(Qt::Key_D, Qt::ControlModifier);
  view().setCrosshair({4, 5, 6});
  press(Qt::Key_D, Qt::ControlModifier);
  press(Qt::Key_G);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{1, 2, 3}));
  ASSERT_TRUE(window->trigger("view.listBookmarks"));
  auto* list = window->findChild<QDialog*>(QStringLiteral("table.%1").arg(workspace->bookmarks().layer()));
  ASSERT_TRUE(list);
  auto* table = list->findChild<QTableView*>();
  ASSERT_TRUE(table->model()->setData(table->model()->index(0, 0), "hand knob", Qt::EditRole));
  ASSERT_TRUE(waitFor([&] { return workspace->bookmarks().all().front().name == "hand knob"; }));
  EXPECT_FALSE(table->model()->setData(table->model()->index(0, 1), "7", Qt::EditRole)) << "no number is";
  table->setCurrentIndex(table->model()->index(1, 0));
  EXPECT_EQ(view().crosshair(), (Vec3<double>{4, 5, 6})) << "a row leads there";
  keep("kept_places");
  ASSERT_TRUE(waitFor([&] {
    list->activateWindow();
    table->setFocus();
    return table->hasFocus();
  }));
  QTest::keyClick(table, Qt::Key_Delete);
  EXPECT_EQ(workspace->bookmarks().all().size(), 1U);
}

TEST_F(ViewWindows, HaveTheColorBarsOfWhatIsVisibleNextToThemOnce) {
  const auto withBar = [](const std::string& name) {
    Layer layer = volumeLayer(name, {20, 24, 30});
    layer.display.colorBar = true;
    return layer;
  };
  add(withBar("below"));
  const model::LayerId map = add(withBar("map"));
  auto* bars = child<ColorBarStrip>("colorBars");
  const auto titles = [&] {
    QStringList all;
    for (const scene::BarScale& bar : bars->bars()) all << QString::fromStdString(bar.title);
    return all;
  };
  EXPECT_TRUE(bars->isVisible());
  EXPECT_EQ(titles(), (QStringList{"map", "below"})) << "an image without one has none here, too";
  layers().setVisible(map, false);
  EXPECT_EQ(titles(), QStringList{"below"});
  ASSERT_TRUE(window->trigger("view.lightbox"));
  EXPECT_FALSE(bars->isVisible()) << "it has its own";
  ASSERT_TRUE(window->trigger("view.grid"));
  EXPECT_TRUE(bars->isVisible());
  ASSERT_TRUE(waitUntilDrawn());
  // A picture of the views contains them; it is taken from the first.
  const QImage first = window->views().slice(model::Plane::axial)->screenshot(),
               all = window->views().screenshot(1).copy(QRect(QPoint(), first.size()));
  EXPECT_NE(first, all);
  for (const model::LayerState& state : std::vector(layers().layers())) layers().setVisible(state.id, false);
  EXPECT_FALSE(bars->isVisible());
}

}  // namespace
}  // namespace sulcus::ui::widgets
