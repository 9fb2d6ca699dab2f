// Surfaces in the whole window: previews, comparison, picking, sliders.
#include "core/io/files.h"
#include "tests/ui/mesh_analysis.h"
#include "tests/ui/turn_meter.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTreeWidget>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::oneDevice;
using test::volumeLayer;

struct SurfaceWindow : WindowFixture {
  SurfaceWindow() : WindowFixture({test::ballAnalysis()}) {}
  /// A dark image of 60 mm around the origin.
  void addImage() {
    Layer image = volumeLayer("image", {30, 30, 30});
    auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(image.content).series);
    series->grid.worldFromVoxel.m = {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
    series->grid.worldFromVoxel.t = {-29, -29, -29};
    image.content = VolumeLayer{series, {}, 0, {}};
    image.display.range = Range{0, 100};
    add(std::move(image));
  }
  double radius(const QString& name) {
    return named(name) ? norm(test::meshOf(*named(name)->layer).points.front()) : 0;
  }
  model::AnalysisPresenter& presenter() { return *workspace->presenters().named("ball"); }
  static int countIf(const QImage& image, const std::function<bool(QColor)>& condition) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += condition(image.pixelColor(x, y));
    return count;
  }
  static bool isOrange(QColor c) { return c.red() > 120 && c.blue() < c.red() / 3; }
};

TEST_F(SurfaceWindow, FramesASurfaceThatIsTheOnlyLayer) {
  open(oneDevice());
  add(test::meshLayer("ball", test::ball(20, 4, {100, 50, -30})));
  EXPECT_NEAR(view().crosshair().x, 100, 0.1);
  EXPECT_NEAR(view().extent(), 42, 1);
  ASSERT_TRUE(waitUntilDrawn());
  keep("only-a-surface");
  for (const model::Plane plane : {model::Plane::axial, model::Plane::coronal, model::Plane::sagittal})
    EXPECT_GT(countIf(window->views().slice(plane)->screenshot(), isOrange), 200) << int(plane);
  EXPECT_GT(countIf(window->views().scene()->screenshot(), isOrange), 5000);
}

TEST_F(SurfaceWindow, FramesWhatIsOpenedTheSameInAnyOrderUntilTheCameraIsTurned) {
  const QStringList files{folder.filePath("image.nii"), folder.filePath("ball.vtp")};
  io::saveLayer(volumeLayer("image", {30, 30, 30}), files[0].toStdString());
  io::saveLayer(test::meshLayer("ball", test::ball(40, 4)), files[1].toStdString());
  const auto openFile = [&](const QString& file) {
    window->openFiles({file});
    ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
    ASSERT_TRUE(waitUntilDrawn());
  };
  const auto pose = [this] { return SharedCamera::of(view())->pose(); };
  open(oneDevice());
  openFile(files[0]);
  const scene::CameraPose ofImage = pose();
  openFile(files[1]);
  const scene::CameraPose ofBoth = pose();
  EXPECT_NE(ofBoth, ofImage);
  open(oneDevice());
  openFile(files[1]);
  openFile(files[0]);
  EXPECT_EQ(pose(), ofBoth);

  open(oneDevice());
  openFile(files[0]);
  window->views().lookFrom('A');
  const scene::CameraPose turned = pose();
  openFile(files[1]);
  EXPECT_EQ(pose(), turned);
}

TEST_F(SurfaceWindow, SeesASingleSliceFromAboveAndABodyObliquely) {
  for (const int slices : {1, 8}) {
    open(oneDevice());
    add(volumeLayer("image", {8, 8, slices}));
    ASSERT_TRUE(waitFor([this] { return SharedCamera::of(view())->isFramed(); }));
    const scene::CameraPose pose = SharedCamera::of(view())->pose();
    const double fromAbove = normalized(pose.position - pose.focus).z;
    if (slices == 1)
      EXPECT_NEAR(fromAbove, 1, 1e-6);
    else
      EXPECT_LT(fromAbove, 0.9);
  }
}

TEST_F(SurfaceWindow, MovesTheCrosshairToThePointThatIsClickedAndNotWhenTheCameraTurns) {
  open(oneDevice());
  add(test::meshLayer("ball", test::ball(20, 4)));
  window->trigger(QStringLiteral("view.scene"));
  ASSERT_TRUE(waitUntilDrawn());
  window->views().lookFrom('A');
  ASSERT_TRUE(waitUntilDrawn());
  QWidget* canvas = window->views().scene()->focusProxy();
  const QPoint middle = canvas->rect().center();
  QTest::mouseClick(canvas, Qt::LeftButton, {}, middle);
  EXPECT_NEAR(view().crosshair().y, 20, 0.5);
  EXPECT_NEAR(std::abs(view().crosshair().x), 0, 2);
  keep("picked");
  const Vec3<double> before = view().crosshair();
  QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(4, 4));
  EXPECT_EQ(view().crosshair(), before) << "nothing is there";
  QTest::mousePress(canvas, Qt::LeftButton, {}, middle + QPoint(40, 0));
  for (int x = 40; x <= 90; x += 10) {
    const QPoint to = middle + QPoint(x, 0);
    QMouseEvent move(QEvent::MouseMove, to, canvas->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(canvas, &move);
  }
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, middle + QPoint(90, 0));
  EXPECT_EQ(view().crosshair(), before);
}

TEST_F(SurfaceWindow, ShowsInputAndBothResultsSideBySideIn3d) {
  open(oneDevice());
  addImage();
  run("run.both");
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::compare);
  EXPECT_TRUE(window->views().comparePage().isIn3d()) << "surfaces are seen in 3D";
  ASSERT_TRUE(waitUntilDrawn());
  keep("compare-3d");
  const auto views = window->views().shownViews();
  ASSERT_EQ(views.size(), 3u);
  // The input has a plain color, the results have color maps.
  const auto isRedOrBlue = [](QColor c) {
    return std::abs(c.red() - c.blue()) > 40 && c.green() > 40 && c.blue() > 50;
  };
  int colored[3];
  for (int i = 0; i < 3; ++i)
    colored[i] = countIf(static_cast<View3d*>(views[std::size_t(i)])->screenshot(), isRedOrBlue);
  EXPECT_LT(colored[0], colored[1] / 3);
  EXPECT_GT(colored[1], 1000);
  EXPECT_GT(colored[2], 1000);
  EXPECT_EQ(named("surface (CPU)")->display.range, named("surface (GPU)")->display.range);
  EXPECT_EQ(named("input surface (before)"), nullptr) << "the run shows it already";
  ASSERT_TRUE(window->trigger(QStringLiteral("view.compareIn3d")));
  ASSERT_TRUE(waitUntilDrawn());
  keep("compare-2d");
  EXPECT_GT(countIf(static_cast<SliceView*>(window->views().shownViews()[2])->screenshot(), isOrange), 50)
      << "the outlines lie on the difference";
}

TEST_F(SurfaceWindow, AddsWhatCameBeforeWhenNoRunShowsIt) {
  for (Analysis& analysis : analyses)
    for (Analysis::Run* run : {&analysis.cpu, &analysis.gpu})
      *run = [inner = *run](const AnalysisInputs& inputs, const OptionValues& values,
                            const Progress& progress, const Analysis::Preview& preview) {
        RunResult result = inner(inputs, values, progress, preview);
        result.layers.pop_back();
        return result;
      };
  open(oneDevice());
  addImage();
  run("run.both");
  ASSERT_TRUE(named("input surface (before)"));
  EXPECT_FALSE(named("input surface (before)")->display.visible);
}

TEST_F(SurfaceWindow, DragsTheContourWithTheSliderOfTheThreshold) {
  open(oneDevice());
  addImage();
  ASSERT_TRUE(waitFor([&] { return std::abs(radius("input surface (preview)") - 20) < 1e-3; }));
  auto* slider = window->panel("ball")->findChild<QSlider*>(QStringLiteral("slider.threshold"));
  ASSERT_TRUE(waitFor([&] {
    return (slider = window->panel("ball")->findChild<QSlider*>(QStringLiteral("slider.threshold"))) !=
           nullptr;
  }));
  EXPECT_TRUE(slider->isVisible());
  EXPECT_TRUE(window->panel("ball")->findChild<QWidget*>(QStringLiteral("option.threshold"))->isVisible());
  EXPECT_NEAR(slider->maximum(), 195, 5);
  ASSERT_TRUE(waitUntilDrawn());
  keep("threshold");
  const scene::CameraPose camera = SharedCamera::of(view())->pose();
  slider->setValue(slider->maximum());
  EXPECT_EQ(std::get<double>(presenter().options().values().at("threshold")), 40);
  ASSERT_TRUE(waitFor([&] { return std::abs(radius("input surface (preview)") - 40) < 1e-3; }));
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_EQ(SharedCamera::of(view())->pose(), camera);
  layers().clear();
  EXPECT_TRUE(waitFor([&] { return layers().empty(); }));
  EXPECT_FALSE(slider->isVisible());
}

TEST_F(SurfaceWindow, MovesBothResultsWithTheIterationsAndKeepsColorsAndCamera) {
  open(oneDevice());
  addImage();
  run("run.both");
  ASSERT_TRUE(waitUntilDrawn());
  const auto range = named("surface (CPU)")->display.range;
  const scene::CameraPose camera = SharedCamera::of(view())->pose();
  auto* slider = window->panel("ball")->findChild<QSlider*>(QStringLiteral("slider.iterations"));
  ASSERT_TRUE(slider);
  slider->setValue(12);
  ASSERT_TRUE(waitFor([&] {
    return std::abs(radius("surface (CPU)") - 14) < 1e-3 && std::abs(radius("surface (GPU)") - 13.75) < 1e-3;
  }));
  ASSERT_TRUE(waitUntilDrawn());
  keep("iterations");
  EXPECT_EQ(named("surface (CPU)")->display.range, range);
  EXPECT_EQ(named("surface (GPU)")->display.range, range);
  EXPECT_EQ(SharedCamera::of(view())->pose(), camera);
  slider->setValue(0);
  ASSERT_TRUE(waitFor([&] { return std::abs(radius("surface (CPU)") - 17.5) < 1e-3; })) << "auto";
}

TEST_F(SurfaceWindow, ColorsASurfaceByWhatIsChosen) {
  open(oneDevice());
  Mesh mesh = test::ball(20);
  for (const auto& p : mesh.points) {
    mesh.pointScalars["curvature"].push_back(p.z);
    mesh.pointScalars["displacement"].push_back(p.x * 3);
  }
  const model::LayerId id = add(test::meshLayer("ball", std::move(mesh)));
  auto* scalars = child<QComboBox>("scalars");
  ASSERT_TRUE(scalars && scalars->isVisibleTo(window.get()));
  EXPECT_EQ(scalars->currentText(), "curvature");
  EXPECT_EQ(layers().find(id)->display.colormap, "cool-warm") << "both signs: diverging around 0";
  const Range range = *layers().find(id)->display.range;
  EXPECT_EQ(range.low, -range.high);
  QTest::keyClick(scalars, Qt::Key_Down);
  EXPECT_EQ(layers().find(id)->volume, 1);
  EXPECT_GT(layers().find(id)->display.range->high, 2 * range.high) << "over their own range";
  QTest::keyClick(scalars, Qt::Key_Home);
  EXPECT_EQ(layers().find(id)->volume, -1);
  EXPECT_FALSE(window->findChild<QWidget*>(QStringLiteral("colormap"))->isVisibleTo(window.get()));
}

TEST_F(SurfaceWindow, ListsTheLabelsOfASurfaceAndLeadsToThem) {
  open(oneDevice());
  Mesh mesh = test::ball(20);
  for (const auto& p : mesh.points) {
    mesh.pointScalars["aparc"].push_back(p.z > 10 ? 3 : 0);
    mesh.pointScalars["height"].push_back(p.z);
  }
  mesh.labelTables["aparc"] =
      std::make_shared<const LabelTable>(LabelTable{{3, {"cap", {{0, 0, 255}}}}, {5, {"nowhere", {}}}});
  add(test::meshLayer("ball", std::move(mesh)));
  auto* list = child<QTreeWidget>("labels");
  ASSERT_TRUE(list && list->isVisibleTo(window.get()));
  ASSERT_TRUE(waitFor([list] { return list->topLevelItemCount() == 1; }));
  EXPECT_EQ(list->topLevelItem(0)->text(0), "3 cap");
  EXPECT_NEAR(list->topLevelItem(0)->text(1).toDouble(), 12.6, 0.8) << "2π r h in cm²";
  EXPECT_FALSE(window->findChild<QWidget*>(QStringLiteral("colormap"))->isVisibleTo(window.get()));
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                    list->visualItemRect(list->topLevelItem(0)).center());
  EXPECT_NEAR(norm(window->workspace().view().crosshair() - Vec3<double>{0, 0, 20}), 0, 2);
  QTest::keyClick(child<QComboBox>("scalars"), Qt::Key_Down);
  EXPECT_FALSE(list->isVisibleTo(window.get())) << "heights are numbers";
}

TEST_F(SurfaceWindow, AnswersWhileLargeSurfacesArePreviewed) {
  analyses[0].cpu = [](const AnalysisInputs&, const OptionValues&, const Progress& progress,
                       const Analysis::Preview& preview) {
    RunResult result;
    for (int step = 0; step < 6; ++step) {
      Mesh mesh = test::ball(20 - step, 7);  // 131 072 triangles
      mesh.pointScalars["displacement"].assign(mesh.points.size(), float(step));
      result.layers = {test::meshLayer("surface", std::move(mesh))};
      preview(result.layers, {});
      progress.update(step / 6.0);
    }
    return result;
  };
  open(oneDevice());
  addImage();
  ASSERT_TRUE(waitUntilDrawn());
  TurnMeter meter;
  run("run.cpu");
  ASSERT_TRUE(waitUntilDrawn());
  EXPECT_GT(meter.turns(), 5);
  EXPECT_LE(meter.longTurns(), 3) << "a few, where the driver compiles a shader; the longest took "
                                  << meter.longest() << " ms at a processor's slowness of "
                                  << meter.slowness();
}

}  // namespace
}  // namespace sulcus::ui::widgets
