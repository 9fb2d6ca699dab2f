// How long the main thread is busy in one pass of its event loop, with all analyses and with large data:
// while files are opened, while the labels of an atlas are searched, while a run shows its results.
#include "app/analyses/table.h"
#include "core/io/files.h"
#include "tests/ui/turn_meter.h"
#include "tests/ui/widgets/window/window_fixture.h"

#include <QLineEdit>
#include <QListView>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

using ui::TurnMeter;

struct WindowTurns : ui::widgets::WindowFixture {
  WindowTurns() : WindowFixture(analyses::table()) {}

  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "times mean nothing under a sanitizer";
#endif
    open();
    window->resize(1000, 700);
    // What the driver does for a first picture is its own work.
    const ui::model::LayerId first = add(test::volumeLayer("first"));
    ASSERT_TRUE(waitUntilDrawn());
    layers().remove(first);
    ASSERT_TRUE(settled());
  }
  bool settled() {
    const auto isIdle = [this] {
      return workspace->files().pending() == 0 && workspace->runs().pending() == 0 &&
             workspace->jobs().active() == 0 && ui::widgets::RenderScheduler::of(view()).idle();
    };
    return QTest::qWaitFor(isIdle,
                           5 * ui::widgets::kWait);  // a surface run takes long on a busy machine
  }
  /// Types into a field, one key for each pass of the event loop.
  void type(const char* field, const char* text) {
    for (; *text; ++text) {
      QTest::keyClick(child<QLineEdit>(field), *text);
      QCoreApplication::processEvents();
    }
  }
  void expectShortTurns(const TurnMeter& meter) {
    RecordProperty("longestTurn", std::to_string(meter.longest()));
    EXPECT_GT(meter.turns(), 10);
    EXPECT_LE(meter.longTurns(), 1) << "where the driver compiles a shader; the longest took "
                                    << meter.longest() << " ms";
    EXPECT_LE(meter.longest(), 75) << "at a processor's slowness of " << meter.slowness();
  }
};

Grid millimeters(const Vec3<int>& size) {
  Grid grid;
  grid.size = size;
  return grid;
}

/// A small ball of gray values in air with few integer values, which are not labels.
Layer head(const Vec3<int>& size, int volumes) {
  auto series = std::make_shared<Series<float>>(millimeters(size), volumes);
  const std::int64_t voxels = series->grid.voxels();
  for (std::int64_t i = 0; i < voxels; ++i) {
    const Vec3<int> v = series->grid.voxel(i);
    const double r = std::hypot(2.0 * v.x / size.x - 1, 2.0 * v.y / size.y - 1, 2.0 * v.z / size.z - 1);
    for (int t = 0; t < volumes; ++t)
      series->at(i, t) = r < 0.3 ? 600 + float((i * 7919 + t * 31) % 401) : float((i * 7919) % 101);
  }
  Layer layer;
  layer.name = "head";
  layer.content = VolumeLayer{series};
  return layer;
}

TEST_F(WindowTurns, AreShortWhileALargeVolumeAndALongSeriesAreOpened) {
  const QString volume = folder.filePath("volume.nii"), series = folder.filePath("series.nii");
  io::saveLayer(head({256, 256, 256}, 1), volume.toStdString());
  io::saveLayer(head({64, 64, 40}, 200), series.toStdString());
  const TurnMeter meter;
  window->openFiles({volume, series});
  ASSERT_TRUE(settled());
  ASSERT_EQ(layers().layers().size(), 2u);
  expectShortTurns(meter);
}

TEST_F(WindowTurns, AreShortWhileTheLabelsOfALargeAtlasAreListed) {
  auto labels = std::make_shared<Volume<Label>>(millimeters({256, 256, 256}));
  auto names = std::make_shared<LabelTable>();
  for (std::size_t i = 0; i < labels->values.size(); ++i) {
    const Vec3<int> v = labels->grid.voxel(std::int64_t(i));
    labels->values[i] = 1 + v.x / 26 + 10 * (v.y / 26) + 100 * (v.z / 52);
  }
  for (int label = 1; label <= 500; ++label) (*names)[label].name = "region " + std::to_string(label);
  Layer atlas;
  atlas.name = "atlas";
  atlas.content = LabelsLayer{labels, names};
  const TurnMeter meter;
  add(std::move(atlas));
  auto* list = child<QTreeWidget>("labels");
  ASSERT_TRUE(waitFor([list] { return list->topLevelItemCount() == 500; }));
  ASSERT_TRUE(settled());
  type("labelFilter", "region 41");
  ASSERT_TRUE(settled());
  ASSERT_TRUE(window->trigger("edit.search"));
  type("paletteQuery", "region 417");
  EXPECT_EQ(child<QListView>("paletteEntries")->model()->index(0, 0).data().toString(), "417 region 417");
  QTest::keyClick(child<QLineEdit>("paletteQuery"), Qt::Key_Return);
  EXPECT_EQ(list->currentItem()->text(0), "417 region 417");
  ASSERT_TRUE(settled());
  expectShortTurns(meter);
}

struct TurnsOfARun : WindowTurns, testing::WithParamInterface<const char*> {};

TEST_P(TurnsOfARun, AreShortWhenItShowsWhatItFound) {
  bool loaded = false;
  QObject::connect(workspace.get(), &ui::model::Workspace::demoLoaded, workspace.get(),
                   [&loaded] { loaded = true; });
  workspace->loadDemo(GetParam());
  ASSERT_TRUE(waitFor([&loaded] { return loaded; }));
  ASSERT_TRUE(settled());
  window->selectAnalysis(GetParam());
  ASSERT_TRUE(window->trigger("run.cpu"));  // the first run shows glyphs and surfaces to the driver
  ASSERT_TRUE(settled());
  const TurnMeter meter;
  ASSERT_TRUE(window->trigger("run.cpu"));
  ASSERT_TRUE(settled());
  ASSERT_EQ(workspace->runs().runs().size(), 2u);
  expectShortTurns(meter);
}

INSTANTIATE_TEST_SUITE_P(Each, TurnsOfARun,
                         testing::Values("fibers", "activation", "registration", "surface"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sulcus::app
