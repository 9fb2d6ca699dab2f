// Comparison of files in the window.
#include "core/io/files.h"
#include "tests/support/grid.h"
#include "tests/ui/mesh_analysis.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/views/view_area.h"

#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::shared;

const Grid kGrid = test::gridOf({8, 6, 4}, {2, 2, 2}, {-8, -6, -4});
constexpr std::int64_t kPlace = 100;  ///< a voxel in which the two images of a pair differ

Layer layerOf(LayerContent content) {
  Layer layer;
  layer.content = std::move(content);
  return layer;
}

Layer volume(float there) {
  auto series = std::make_shared<Series<float>>(kGrid, 1);
  for (std::int64_t i = 0; i < kGrid.voxels(); ++i) series->at(i, 0) = float(std::sin(double(i)));
  series->at(kPlace, 0) = there;
  return layerOf(VolumeLayer{series});
}

Layer labels(int there) {
  auto volume = std::make_shared<Volume<sulcus::Label>>(kGrid);
  for (std::size_t i = 0; i < volume->values.size(); ++i) volume->values[i] = int(i % 3);
  volume->values[kPlace] = there;
  return layerOf(LabelsLayer{volume});
}

Layer peaks(float x) {
  auto series = std::make_shared<Series<float>>(kGrid, 3);
  for (std::int64_t i = 0; i < kGrid.voxels(); ++i) series->at(i, 2) = 1;
  series->at(kPlace, 0) = x;
  return layerOf(PeaksLayer{series, nullptr});
}

Layer field(float x) {
  auto series = std::make_shared<Series<float>>(kGrid, 3, 0.5F);
  series->at(kPlace, 0) = x;
  return layerOf(DisplacementLayer{series});
}

Layer surface(float lift) {
  auto mesh = std::make_shared<Mesh>();
  mesh->points = {{-6, -6, 0}, {6, -6, 0}, {6, 6, 0}, {-6, 6, 0}, {0, 0, 6 + lift}};
  mesh->triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {2, 1, 0}, {3, 2, 0}};
  return layerOf(MeshLayer{mesh});
}

struct Pair {
  const char* kind;
  Layer a, b;
  const char* ending;
  const char* quantity;  ///< of the first row
  Vec3<double> worst;    ///< mm
};

struct CompareWindowTest : WindowFixture {
  void SetUp() override {
    open();
    window->resize(1200, 800);
  }
  QString file(const Layer& layer, const std::string& name) {
    const QString path = folder.filePath(QString::fromStdString(name));
    io::saveLayer(layer, path.toStdString());
    return path;
  }
  /// Compares by calling `how`, and waits for the result.
  void compare(const std::function<void()>& how) {
    QSignalSpy compared(&workspace->runs().comparer(), &model::RunComparer::finished);
    how();
    ASSERT_TRUE(waitFor([&] { return compared.count() == 1; }));
    ASSERT_TRUE(waitUntilDrawn());
  }
  const model::ComparisonModel& shown() { return window->comparePanel().model(); }
};

TEST_F(CompareWindowTest, ShowsFilesOfEachKindNextToEachOtherWithTheirWorstPlaces) {
  const Vec3<int> voxel = kGrid.voxel(kPlace);
  const Vec3<double> there = kGrid.worldFromVoxel.point({double(voxel.x), double(voxel.y), double(voxel.z)});
  const std::vector<Pair> pairs{
      {"volumes", volume(1), volume(3), ".nii.gz", "value, mean", there},
      {"labels", labels(1), labels(2), ".nii.gz", "voxels with the same label", there},
      {"peaks", peaks(0), peaks(1), ".nii.gz", "direction of matched peaks, mean", there},
      {"fields", field(0), field(4), ".nii.gz", "displacement, mean", there},
      {"surfaces", surface(0), surface(2), ".vtp", "point, mean", {0, 0, 6}}};
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(pair.kind);
    const std::string name = std::string(pair.kind) + "_";
    const QStringList files{file(pair.a, name + "a" + pair.ending), file(pair.b, name + "b" + pair.ending)};
    compare([&] { window->compareFiles(files); });
    EXPECT_EQ(window->views().layoutShown(), ViewLayout::compare);
    EXPECT_EQ(window->views().shownViews().size(), 3u);
    EXPECT_TRUE(window->comparePanel().isVisible());
    EXPECT_EQ(shown().index(1, 0).data().toString().toStdString(), pair.quantity);
    EXPECT_THAT(shown().summary().toStdString(), testing::HasSubstr("differ"));
    EXPECT_TRUE(shown().comparison()->comparison.difference);
    auto* worst = window->findChild<QListWidget*>("worst");
    ASSERT_GE(worst->count(), 1);
    worst->setCurrentRow(0);
    EXPECT_LT(norm(view().crosshair() - pair.worst), 1e-3) << worst->item(0)->text().toStdString();
    waitUntilDrawn();
    keep((std::string("compare_") + pair.kind).c_str());
    workspace->layers().clear();
    EXPECT_FALSE(window->views().canCompare()) << "nothing is left of it";
  }
}

TEST_F(CompareWindowTest, ComparesOneFileWithTheCurrentLayer) {
  Layer image = volume(1);
  image.name = "mine";
  add(image);
  compare([&] { window->compareFiles({file(volume(1), "other.nii.gz")}); });
  EXPECT_THAT(shown().summary().toStdString(), testing::StartsWith("mine and other agree"));
}

TEST_F(CompareWindowTest, OffersLayersNextToRunsAndSaysWhatCannotBeCompared) {
  Layer image = volume(1), other = volume(2), mesh = surface(0);
  image.name = "image", other.name = "other", mesh.name = "mesh";
  const model::LayerId first = add(image), second = add(other);
  window->bottom().open(&window->comparePanel());
  auto *one = child<QComboBox>("compareFirst"), *two = child<QComboBox>("compareSecond");
  ASSERT_EQ(one->count(), 2);
  EXPECT_TRUE(child<QPushButton>("compare")->isEnabled()) << "two of one kind are suggested";
  compare([&] { child<QPushButton>("compare")->click(); });
  EXPECT_EQ(shown().comparison()->a->layers, std::vector{second}) << "the uppermost first";
  EXPECT_EQ(shown().comparison()->b->layers, std::vector{first});
  add(mesh);
  two->setCurrentIndex(two->findText("mesh"));
  EXPECT_FALSE(child<QPushButton>("compare")->isEnabled());
  window->compareFiles({file(volume(1), "v.nii.gz"), file(surface(1), "s.vtp")});
  QMessageBox* box = nullptr;
  ASSERT_TRUE(waitFor([&] { return (box = child<QMessageBox>("error")); }));
  EXPECT_THAT(box->text().toStdString(), testing::HasSubstr("choose two of one kind"));
}

TEST_F(CompareWindowTest, SuggestsLayersThatAreSeenWhileThereIsOneRun) {
  add(volume(1));
  run("run.cpu");
  for (const char* const box : {"compareFirst", "compareSecond"}) {
    const model::LayerState* suggested = named(child<QComboBox>(box)->currentText());
    EXPECT_TRUE(suggested && suggested->display.visible) << box << " is no layer that is seen";
  }
}

TEST_F(CompareWindowTest, DoesNotSuggestTwoResultsOfOneRun) {
  const model::LayerId image = add(volume(1));
  run("run.cpu");
  workspace->layers().remove(image);
  EXPECT_EQ(child<QComboBox>("compareFirst")->currentIndex(),
            child<QComboBox>("compareSecond")->currentIndex());
}

TEST_F(CompareWindowTest, KeepsThePlaneThatWasShownAlone) {
  window->views().setLayoutShown(ViewLayout::coronal);
  compare([&] { window->compareFiles({file(volume(1), "one.nii.gz"), file(volume(2), "two.nii.gz")}); });
  EXPECT_EQ(window->views().comparePage().plane(), model::Plane::coronal);
}

TEST_F(CompareWindowTest, ComparesARunWithAFile) {
  add(volume(1));
  run("run.cpu");
  Layer product = *named("product (CPU)")->layer;
  const QString path = file(product, "saved.nii.gz");
  window->openFiles({path});
  ASSERT_TRUE(waitFor([&] { return named("saved") != nullptr; }));
  const auto sides = workspace->runs().comparer().sides();
  ASSERT_EQ(sides.front()->title, "CPU");
  const auto saved =
      std::ranges::find(sides, QStringLiteral("saved"), [](const auto& side) { return side->title; });
  ASSERT_NE(saved, sides.end());
  compare([&] { workspace->runs().comparer().compare(sides.front(), *saved); });
  EXPECT_THAT(shown().summary().toStdString(), testing::StartsWith("product (CPU) and saved agree"));
}

TEST_F(CompareWindowTest, SaysThatItComparesUntilItHas) {
  Layer image = volume(1), other = volume(2);
  image.name = "image", other.name = "other";
  add(image), add(other);
  auto* summary = child<QLabel>("summary");
  EXPECT_THAT(summary->text().toStdString(), testing::StartsWith("No comparison yet"));
  compare([&] {
    ASSERT_TRUE(window->trigger("compare.layers"));
    EXPECT_EQ(summary->text(), QStringLiteral("Comparing other and image …"));
  });
  EXPECT_THAT(summary->text().toStdString(), testing::StartsWith("other and image differ"));
  EXPECT_TRUE(window->comparePanel().table()->isColumnHidden(1)) << "layers have no times";
}

TEST_F(CompareWindowTest, TheHeadersOfNarrowColumnsKeepWhatDiffers) {
  add(volume(1));
  run("run.cpu");
  workspace->presenters().named("fake")->options().set("mode", std::string("doubled"));
  run("run.cpu");
  window->resize(900, 600);
  compare([&] { window->trigger("compare.runs"); });
  const auto& model = shown();
  const auto header = [&](int column, int role) {
    return model.headerData(column, Qt::Horizontal, role).toString();
  };
  EXPECT_TRUE(header(1, Qt::DisplayRole).endsWith("plain")) << header(1, Qt::DisplayRole).toStdString();
  EXPECT_TRUE(header(2, Qt::DisplayRole).endsWith("doubled")) << header(2, Qt::DisplayRole).toStdString();
  EXPECT_EQ(header(1, Qt::ToolTipRole), "CPU, Mode plain");
  EXPECT_THAT(model.csv().toStdString(), testing::HasSubstr("CPU, Mode plain"));
  keep("compare_narrow");
}

TEST_F(CompareWindowTest, InANarrowWindowTheThirdViewStandsBelowTheOthers) {
  compare([&] { window->compareFiles({file(volume(1), "a.nii.gz"), file(volume(3), "b.nii.gz")}); });
  EXPECT_EQ(
      shown().headerData(model::ComparisonModel::difference, Qt::Horizontal, Qt::DisplayRole).toString(),
      "Difference")
      << "files have no times";
  const auto places = [&] {
    EXPECT_TRUE(waitUntilDrawn());
    std::vector<QRect> places;
    for (const SceneView* view : window->views().shownViews()) places.push_back(view->geometry());
    return places;
  };
  const std::vector<QRect> wide = places();
  EXPECT_EQ(wide[0].top(), wide[2].top());
  window->resize(900, 600);
  const auto* analysis = child<QDockWidget>("analysisDock");
  ASSERT_TRUE(waitFor([&] { return !analysis->isVisible() && window->views().width() > 540; }))
      << "the analyses give their room to the views";
  for (const QRect& place : places()) EXPECT_GE(std::min(place.width(), place.height()), 180);
  keep("compare_900x600");
  ASSERT_TRUE(window->trigger("view.analysisPanel"));
  ASSERT_TRUE(waitFor([&] { return analysis->isVisible() && window->views().width() < 400; }))
      << "but for a user who calls them back";
  const std::vector<QRect> narrow = places();
  EXPECT_GT(narrow[2].top(), narrow[0].bottom());
  EXPECT_EQ(narrow[0].top(), narrow[1].top());
  EXPECT_EQ(narrow[2].right(), narrow[1].right()) << "as wide as both";
  for (const QRect& place : narrow) EXPECT_GT(std::min(place.width(), place.height()), 100);
  window->resize(1200, 800);
  ASSERT_TRUE(waitFor([&] { return window->views().shownViews()[2]->geometry() == wide[2]; }));
  window->resize(900, 600);
  ASSERT_TRUE(waitFor([&] { return !analysis->isVisible(); }));
  window->resize(1200, 800);
  ASSERT_TRUE(waitFor([&] { return analysis->isVisible(); })) << "undone where there is room";
  window->resize(900, 600);
  ASSERT_TRUE(waitFor([&] { return !analysis->isVisible(); }));
  window->trigger("view.grid");
  EXPECT_TRUE(waitFor([&] { return analysis->isVisible(); })) << "and where nothing is compared";
}

TEST_F(CompareWindowTest, NoButtonAboveTheViewsIsCutInAnyWidth) {
  compare([&] { window->compareFiles({file(volume(1), "a.nii.gz"), file(volume(3), "b.nii.gz")}); });
  const auto buttons = child<QWidget>("viewStrip")->findChildren<QToolButton*>();
  const auto isWhole = [](const QToolButton* button) {
    return !button->isVisible() || button->width() >= button->sizeHint().width();
  };
  for (int width = 900; width <= 1600; width += 50) {
    window->resize(width, 700);
    EXPECT_TRUE(waitFor([&] { return window->width() == width && std::ranges::all_of(buttons, isWhole); }))
        << width << " " << window->views().width();
  }
}

}  // namespace
}  // namespace sulcus::ui::widgets
