// Exports from the window: tables of clusters, pictures, movies, pages.
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/export/html_exporter.h"
#include "ui/widgets/export/movie_exporter.h"
#include "ui/widgets/export/picture_dialog.h"
#include "ui/widgets/export/view_picture.h"
#include "ui/widgets/panels/clusters_panel.h"
#include "ui/widgets/views/shared_camera.h"
#include "ui/widgets/views/view_area.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

struct SavedPictures : WindowFixture {
  /// A map of 20³ voxels of 1 mm from the origin, 0 except for two spots.
  model::LayerId addMap() {
    Layer map = test::volumeLayer("map", {20, 20, 20});
    auto series = std::make_shared<Series<float>>(std::get<VolumeLayer>(map.content).series->grid, 1);
    const Grid& grid = series->grid;
    series->values[std::size_t(grid.index(5, 6, 7))] = 9;
    series->values[std::size_t(grid.index(15, 14, 13))] = 4;
    series->values[std::size_t(grid.index(15, 14, 12))] = 3;
    map.content = VolumeLayer{series, {}, 0, {}};
    map.display.range = Range{0, 9};
    map.display.hideBelow = 2;
    return add(std::move(map));
  }
  static QString text(const QString& file) {
    QFile stream(file);
    EXPECT_TRUE(stream.open(QIODevice::ReadOnly)) << file.toStdString();
    return QString::fromUtf8(stream.readAll());
  }
  bool waitForFiles() {
    return waitFor([this] { return workspace->files().pending() == 0 && workspace->jobs().active() == 0; });
  }
};

TEST_F(SavedPictures, ARowOfTheClustersLeadsToItsPeak) {
  open();
  addMap();
  ASSERT_TRUE(window->trigger("clusters.show"));
  auto* table = child<QTableView>("clusters");
  ASSERT_TRUE(waitFor([&] { return table->model()->rowCount() == 2; }));
  EXPECT_TRUE(child<QLabel>("clustersSummary")->text().contains("2 clusters of values above 2"));
  table->setCurrentIndex(table->model()->index(1, 0));
  EXPECT_EQ(view().crosshair(), (Vec3<double>{5, 6, 7})) << "the smaller one comes second";
  keep("clusters");
  QTest::mouseClick(child<QToolButton>("clustersCopy"), Qt::LeftButton);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("cluster\tvoxels\tvolume_mm3\tvalue"));
  ASSERT_TRUE(window->trigger("clusters.save"));
  auto* dialog = window->findChildren<QFileDialog*>().back();
  emit dialog->fileSelected(folder.filePath("peaks"));
  dialog->close();
  ASSERT_TRUE(waitForFiles());
  EXPECT_TRUE(text(folder.filePath("peaks.tsv")).contains("15.0\t14.0\t13.0"));
  EXPECT_TRUE(text(folder.filePath("peaks.json")).contains("sulcus-cli clusters"));
  ASSERT_TRUE(window->trigger("clusters.keep"));
  EXPECT_TRUE(named("clusters of map"));
  EXPECT_TRUE(waitFor([&] { return table->model()->rowCount() == 2; })) << "the map stays in front";
}

TEST_F(SavedPictures, PicturesHaveTheRequestedBackgroundAndAnnotations) {
  open();
  addMap();
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  window->views().finishDrawing();
  const std::vector<SceneView*> views = window->views().shownViews();
  const auto taken = [&](PictureStyle::Background background, bool annotations, int scale = 1) {
    return pictureOf(views, view(), {scale, background, annotations});
  };
  using Background = PictureStyle::Background;
  const QPoint outside(3, 40);  // outside the image, left of it
  EXPECT_EQ(taken(Background::white, false).pixelColor(outside), QColor(Qt::white));
  EXPECT_EQ(taken(Background::black, false).pixelColor(outside), QColor(Qt::black));
  const QImage clear = taken(Background::transparent, false);
  EXPECT_EQ(clear.pixelColor(outside).alpha(), 0);
  EXPECT_EQ(clear.size(), views.front()->size());
  EXPECT_EQ(taken(Background::asOnScreen, true, 2).size(), 2 * views.front()->size());
  EXPECT_EQ(taken(Background::asOnScreen, true),
            window->views().screenshot(1).convertToFormat(QImage::Format_ARGB32_Premultiplied))
      << "as it is on screen";
  EXPECT_NE(taken(Background::black, false), taken(Background::black, true)) << "letters and crosshair";
  EXPECT_TRUE(view().crosshairVisible()) << "only the picture is without";
  for (const auto& [name, background] :
       {std::pair("picture-white", Background::white), {"picture-transparent", Background::transparent}})
    if (const char* kept = std::getenv("SULCUS_KEEP_PICTURES"))
      taken(background, true, 2)
          .save(QStringLiteral("%1/%2.png").arg(QString::fromUtf8(kept), QLatin1String(name)));
}

TEST_F(SavedPictures, ColorBarsLieNextToTheViewsAsOnScreen) {
  open();
  addMap();
  Display display = layers().layers().back().display;
  display.colorBar = true;
  layers().setDisplay(layers().layers().back().id, display);
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  window->views().finishDrawing();
  ASSERT_TRUE(window->views().hasBarsBeside());
  const QSize views = window->views().viewsSize();
  const QImage picture = window->views().screenshotWithBars(1);
  EXPECT_EQ(picture.height(), views.height());
  ASSERT_GT(picture.width(), views.width());
  int bright = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = views.width(); x < picture.width(); ++x) bright += qGray(picture.pixel(x, y)) > 40;
  EXPECT_GT(bright, 200) << "the bar and its numbers";
  EXPECT_EQ(picture.copy(QRect(QPoint(), views)),
            window->views().slice(model::Plane::axial)->screenshot(1).convertToFormat(picture.format()))
      << "none lies over the image";
}

TEST_F(SavedPictures, PicturesHaveThePixelsOfTheScreen) {  // also on one with large pixels: large_pixels
  open();
  addMap();
  window->trigger("view.coronal");
  ASSERT_TRUE(waitUntilDrawn());
  window->views().finishDrawing();
  SliceView* slice = window->views().slice(model::Plane::coronal);
  const QImage drawn = slice->screenshot(1).convertToFormat(QImage::Format_RGB32);
  EXPECT_EQ(drawn.size(), (QSizeF(slice->size()) * slice->devicePixelRatioF()).toSize());
  EXPECT_EQ(window->views().viewsSize(), drawn.size());
  EXPECT_EQ(window->views().screenshot(1), drawn) << "not drawn larger and made smaller";
  EXPECT_EQ(pictureOf({slice}, view(), {}).convertToFormat(QImage::Format_RGB32), drawn);
  EXPECT_EQ(window->windowPicture(2).size(), 2 * window->windowPicture(1).size());
  ASSERT_TRUE(window->trigger("file.picture"));
  EXPECT_TRUE(child<QComboBox>("pictureScale")
                  ->itemText(1)
                  .contains(QStringLiteral("%1 × %2").arg(2 * drawn.width()).arg(2 * drawn.height())));
}

TEST_F(SavedPictures, AScreenshotIsOpaqueWhereThe3dViewShowsNothing) {
  open();
  addMap();
  ASSERT_TRUE(waitUntilDrawn());
  const QImage picture = window->views().scene()->screenshot();
  EXPECT_EQ(picture.convertToFormat(QImage::Format_ARGB32).pixelColor(3, 3).alpha(), 255);
  const QColor color = window->views().screenshot(1).pixelColor(window->views().viewsSize().width() - 4,
                                                                window->views().viewsSize().height() / 2 + 8);
  EXPECT_EQ(color.alpha(), 255);
  EXPECT_GT(color.blue(), 10) << "the gray of the 3D view, not black";
}

TEST(TransparentPicture, ShowsWhatCoversThePixels) {
  QImage black(3, 1, QImage::Format_RGB32), white(3, 1, QImage::Format_RGB32);
  black.setPixel(0, 0, qRgb(0, 0, 0)), white.setPixel(0, 0, qRgb(255, 255, 255));     // nothing
  black.setPixel(1, 0, qRgb(200, 10, 0)), white.setPixel(1, 0, qRgb(200, 10, 0));     // all
  black.setPixel(2, 0, qRgb(100, 0, 50)), white.setPixel(2, 0, qRgb(227, 127, 177));  // half
  const QImage picture = transparentFrom(black, white);
  EXPECT_EQ(picture.pixelColor(0, 0).alpha(), 0);
  EXPECT_EQ(picture.pixelColor(1, 0), QColor(200, 10, 0));
  EXPECT_EQ(picture.pixelColor(2, 0).alpha(), 128);
  EXPECT_NEAR(picture.pixelColor(2, 0).red(), 199, 1);
}

TEST_F(SavedPictures, APictureIsSavedWithWhatItShowsAndCopied) {
  open();
  addMap();
  ASSERT_TRUE(waitUntilDrawn());
  ASSERT_TRUE(window->trigger("file.picture"));
  auto* dialog = child<PictureDialog>("pictureDialog");
  EXPECT_EQ(dialog->findChild<QComboBox*>("pictureWhat")->count(), 6) << "all, four, the window";
  dialog->findChild<QComboBox*>("pictureScale")->setCurrentIndex(1);
  dialog->findChild<QComboBox*>("pictureBackground")->setCurrentIndex(2);
  QTest::mouseClick(dialog->findChild<QPushButton*>("pictureSave"), Qt::LeftButton);
  auto* file = window->findChildren<QFileDialog*>().back();
  emit file->fileSelected(folder.filePath("figure.png"));
  file->close();
  ASSERT_TRUE(waitForFiles());
  EXPECT_EQ(QImage(folder.filePath("figure.png")).size(), 2 * window->views().viewsSize());
  EXPECT_TRUE(text(folder.filePath("figure.png.json")).contains("\"HideBelow\": 2"));
  ASSERT_TRUE(window->trigger("file.copyPicture"));
  EXPECT_EQ(QApplication::clipboard()->image().size(), window->views().screenshotWithBars(1).size());
  EXPECT_EQ(window->windowPicture(2).size(), 2 * window->size());
}

TEST_F(SavedPictures, AMovieOfSlicesIsAFolderOfPicturesAndLeavesTheViewsAsTheyWere) {
  open();
  addMap();
  window->trigger("view.axial");
  ASSERT_TRUE(waitUntilDrawn());
  ASSERT_TRUE(waitFor([&] { return workspace->session().undoText().contains("map"); }));
  const QString undone = workspace->session().undoText();
  const Vec3<double> before = view().crosshair();
  auto* maker = window->findChild<MovieExporter*>();
  EXPECT_FALSE(maker->whyNot(model::MovieKind::turntable).isEmpty()) << "no 3D view";
  EXPECT_FALSE(maker->whyNot(model::MovieKind::volumes).isEmpty()) << "no series";
  EXPECT_EQ(maker->whyNot(model::MovieKind::slices), "");
  EXPECT_EQ(maker->mostFrames(model::MovieKind::slices, model::Plane::axial), 20);
  model::MovieOptions order{model::MovieKind::slices, model::Plane::axial, 20, 10, 1,
                            folder.filePath("sweep")};
  QSignalSpy saved(maker, &MovieExporter::saved);
  maker->make(order);
  EXPECT_TRUE(maker->busy());
  ASSERT_TRUE(waitFor([&] { return saved.count() == 1 && !maker->busy(); }));
  const QDir frames(folder.filePath("sweep"));
  EXPECT_EQ(frames.entryList({"*.png"}).size(), 20);
  const QImage empty(frames.filePath("frame_0002.png")), spot(frames.filePath("frame_0008.png"));
  EXPECT_EQ(empty.size(), window->views().viewsSize());
  EXPECT_NE(empty, spot) << "slice 7 has a spot";
  EXPECT_EQ(view().crosshair(), before);
  EXPECT_EQ(workspace->session().undoText(), undone) << "nothing was changed";
}

TEST_F(SavedPictures, AMovieOfSlicesBeginsWithThePlaneThatIsLookedAt) {
  open();
  addMap();
  window->trigger("view.sagittal");
  ASSERT_TRUE(window->trigger("file.movie"));
  EXPECT_EQ(child<QComboBox>("movieKind")->currentIndex(), int(model::MovieKind::slices));
  EXPECT_EQ(child<QComboBox>("moviePlane")->currentIndex(), int(model::Plane::sagittal));
  window->trigger("view.lightbox");
  EXPECT_TRUE(window->findChild<MovieExporter*>()
                  ->whyNot(model::MovieKind::slices)
                  .startsWith("The lightbox shows the slices side by side"))
      << "only the crosshair would move";
}

TEST_F(SavedPictures, WhoQuitsWhileAMovieIsMadeIsAsked) {
  open();
  workspace->layers().add(test::shared(test::volumeLayer("map")));
  ASSERT_TRUE(waitUntilDrawn());
  auto* maker = window->findChild<MovieExporter*>();
  maker->make({model::MovieKind::turntable, model::Plane::axial, 5000, 10, 1, folder.filePath("turn")});
  window->close();
  EXPECT_TRUE(window->isVisible());
  auto* box = child<QMessageBox>("question");
  ASSERT_TRUE(box);
  EXPECT_TRUE(box->text().startsWith("Files are being read or written."));
  box->reject();
  ASSERT_TRUE(waitFor([&] { return !child<QMessageBox>("question"); }));
  EXPECT_TRUE(maker->busy());
  ASSERT_TRUE(window->trigger("file.closeAll"));
  box = child<QMessageBox>("question");
  ASSERT_TRUE(box);
  EXPECT_TRUE(box->text().startsWith("A movie is being made."));
  QTest::mouseClick(box->findChild<QPushButton*>("agree"), Qt::LeftButton);
  EXPECT_TRUE(layers().empty());
  ASSERT_TRUE(waitFor([&] { return !maker->busy(); })) << "no movie of nothing";
  EXPECT_TRUE(QDir(folder.filePath("")).entryList({"*turn*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
}

TEST_F(SavedPictures, AMovieThatIsCancelledLeavesNothing) {
  open();
  addMap();
  ASSERT_TRUE(waitUntilDrawn());
  auto* maker = window->findChild<MovieExporter*>();
  const scene::CameraPose before = SharedCamera::of(view())->pose();
  maker->make({model::MovieKind::turntable, model::Plane::axial, 5000, 10, 1, folder.filePath("turn")});
  ASSERT_TRUE(waitFor([&] { return !(SharedCamera::of(view())->pose() == before); }));
  workspace->jobs().cancelAll();
  ASSERT_TRUE(waitFor([&] { return !maker->busy(); }));
  EXPECT_EQ(SharedCamera::of(view())->pose(), before);
  EXPECT_TRUE(QDir(folder.filePath("")).entryList({"*turn*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
}

TEST_F(SavedPictures, APageHoldsViewsAndRuns) {
  open();
  addMap();
  run("run.cpu");
  ASSERT_TRUE(waitUntilDrawn());
  QSignalSpy ended(&window->pages(), &HtmlExporter::ended);
  window->pages().make(folder.filePath("page.html"));
  ASSERT_TRUE(ended.wait(kWait));
  ASSERT_TRUE(waitForFiles());
  const QString html = text(folder.filePath("page.html"));
  EXPECT_TRUE(html.startsWith("<!DOCTYPE html>"));
  EXPECT_TRUE(html.contains("data:image/png;base64,"));
  EXPECT_TRUE(html.contains("sulcus-cli fake"));
  EXPECT_TRUE(html.trimmed().endsWith("</html>"));
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::grid);
}

TEST_F(SavedPictures, TheCommandLineOfTheChosenRunIsCopied) {
  open();
  addMap();
  EXPECT_FALSE(window->trigger("run.copyCommandOfRun"));
  workspace->presenters().named("fake")->options().set("gain", 4.0);
  run("run.cpu");
  workspace->presenters().named("fake")->options().set("gain", 7.0);
  ASSERT_TRUE(window->trigger("run.copyCommandOfRun"));
  EXPECT_TRUE(QApplication::clipboard()->text().contains("--gain 4"))
      << "as it was run, not as it is set now";
}

}  // namespace
}  // namespace sulcus::ui::widgets
