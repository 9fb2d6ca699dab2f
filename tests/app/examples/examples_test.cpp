#include "app/examples/examples.h"

#include "app/analyses/table.h"
#include "core/image/table_places.h"
#include "tests/ui/qt_folder.h"
#include "ui/model/workspace.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::app::examples {
namespace {

constexpr int kWait = 300000;  ///< ms; only a failure takes that long

struct ExamplesTest : testing::Test {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  ui::model::Workspace workspace{analyses::table(),
                                 [] {
                                   return DeviceReport{{}, "none in a test"};
                                 },
                                 settings};
  ui::model::Examples all{workspace, examples::all(analyses::table())};
  QSignalSpy failed{&workspace, &ui::model::Workspace::failed};

  void open(const char* name) {
    bool shown = false;
    const auto until = QObject::connect(&all, &ui::model::Examples::shown, &all, [&] { shown = true; });
    all.open(QLatin1String(name));
    ASSERT_TRUE(QTest::qWaitFor([&] { return shown || failed.count() > 0; }, kWait));
    QObject::disconnect(until);
    ASSERT_EQ(failed.count(), 0) << failed.value(0).value(1).toString().toStdString();
  }
  QStringList seen() {
    QStringList names;
    for (const auto& layer : workspace.layers().layers())
      if (layer.display.visible && isDrawn(*layer.layer)) names << layer.name;
    return names;
  }
};

TEST_F(ExamplesTest, ShowABrainCutOpen) {
  open("head");
  ASSERT_EQ(workspace.layers().layers().size(), 1u);
  EXPECT_TRUE(workspace.layers().layers().front().display.rendered);
  EXPECT_EQ(workspace.runs().runs().size(), 0u);
}

TEST_F(ExamplesTest, RunTheActivationOverABrainAndFindWhereItSees) {
  open("activation");
  ASSERT_EQ(workspace.runs().runs().size(), 1u);
  EXPECT_EQ(seen().front(), "T1, average of 152 brains");
  ASSERT_EQ(seen().size(), 2) << seen().join(", ").toStdString();
  // The map at the center of the response, and far from it.
  const ui::model::LayerState* map = nullptr;
  for (const auto& layer : workspace.layers().layers())
    if (layer.name == seen().back()) map = &layer;
  ASSERT_TRUE(map);
  const Series<float>& values = *std::get<VolumeLayer>(map->layer->content).series;
  const auto at = [&](const Vec3<double>& place) {
    const Vec3<double> v = values.grid.worldFromVoxel.inverse().point(place);
    return values.at(values.grid.index(int(std::lround(v.x)), int(std::lround(v.y)), int(std::lround(v.z))),
                     0);
  };
  EXPECT_GT(at({10, -84, 4}), 0.95);
  EXPECT_LT(at({0, 20, 4}), 0.95);
}

TEST_F(ExamplesTest, MakeLongLinesThroughABrain) {
  open("tracts");
  ASSERT_EQ(workspace.runs().runs().size(), 1u);
  ASSERT_EQ(seen().size(), 2) << seen().join(", ").toStdString();
  EXPECT_EQ(seen().front(), "T1, average of 152 brains");
  const auto& top = *workspace.layers().layers().back().layer;
  const auto* lines = std::get_if<TractsLayer>(&top.content);
  ASSERT_TRUE(lines) << top.name;
  EXPECT_GT(lines->tracts->lines(), 1000u);
  // Some lines cross from side to side through the corpus callosum.
  bool crosses = false;
  for (std::size_t i = 0; i < lines->tracts->lines() && !crosses; ++i) {
    const auto line = lines->tracts->line(i);
    crosses = line.front().x * line.back().x < -20 * 20;
  }
  EXPECT_TRUE(crosses);
}

TEST_F(ExamplesTest, RunTheOthersAndShowWhatTheyAreAbout) {
  open("registration");
  EXPECT_EQ(seen().filter("displacement").size(), 1) << seen().join(", ").toStdString();
  EXPECT_EQ(seen().filter("warped").size(), 1);
  EXPECT_LE(seen().size(), 3) << "and what it was brought onto";
  workspace.layers().clear();
  open("surface");
  ASSERT_EQ(workspace.runs().runs().size(), 1u);
  EXPECT_TRUE(
      std::holds_alternative<MeshLayer>(workspace.runs().runs().front()->result->layers.front().content));
  workspace.layers().clear();
  open("fibers");
  ASSERT_EQ(workspace.runs().runs().size(), 1u);
  EXPECT_TRUE(
      std::holds_alternative<PeaksLayer>(workspace.runs().runs().front()->result->layers.front().content));
}

TEST_F(ExamplesTest, HaveDefaultsWhateverWasChosenBefore) {
  workspace.presenters().named("surface")->options().set("patch", std::int64_t(7));
  workspace.presenters().named("surface")->options().set("delta", 5.0);
  open("surface");
  const OptionValues& options = workspace.runs().runs().front()->options;
  EXPECT_EQ(std::get<std::int64_t>(options.at("patch")), 3);
  EXPECT_EQ(options.at("delta"),
            ui::model::defaultsOf(workspace.presenters().named("surface")->analysis().options).at("delta"));
}

}  // namespace
}  // namespace sulcus::app::examples
