// Each analysis on its demo: a run that is recreated from its saved form gives the same files.
#include "ui/jobs/saved_run.h"

#include "app/analyses/table.h"
#include "tests/ui/qt_folder.h"
#include "ui/model/workspace.h"

#include <QCoreApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

namespace fs = std::filesystem;
using ui::model::RunChoice;

constexpr int kWait = 120000;  ///< ms; only a failure takes that long

std::string bytesOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}
bool sameSeries(const std::shared_ptr<const Series<float>>& a,
                const std::shared_ptr<const Series<float>>& b) {
  if (!a || !b) return a == b;
  return a->count == b->count && a->grid.worldFromVoxel == b->grid.worldFromVoxel &&
         sameBits(a->values, b->values);
}

/// Whether all numbers of two contents are equal.
bool sameValues(const LayerContent& a, const LayerContent& b) {
  if (a.index() != b.index()) return false;
  if (const auto* volume = std::get_if<VolumeLayer>(&a)) {
    const auto& other = std::get<VolumeLayer>(b);
    return sameSeries(volume->series, other.series) && volume->volumeNames == other.volumeNames &&
           volume->gradients.rows.size() == other.gradients.rows.size() &&
           volume->secondsPerVolume == other.secondsPerVolume;
  }
  if (const auto* labels = std::get_if<LabelsLayer>(&a))
    return labels->labels->values == std::get<LabelsLayer>(b).labels->values;
  if (const auto* peaks = std::get_if<PeaksLayer>(&a))
    return sameSeries(peaks->peaks, std::get<PeaksLayer>(b).peaks) &&
           sameSeries(peaks->tensor, std::get<PeaksLayer>(b).tensor);
  if (const auto* field = std::get_if<DisplacementLayer>(&a))
    return sameSeries(field->displacement, std::get<DisplacementLayer>(b).displacement);
  if (const auto* mesh = std::get_if<MeshLayer>(&a)) {
    const Mesh &x = *mesh->mesh, &y = *std::get<MeshLayer>(b).mesh;
    return x.points == y.points && x.triangles == y.triangles && x.pointScalars == y.pointScalars;
  }
  if (const auto* table = std::get_if<TableLayer>(&a))
    return table->columns == std::get<TableLayer>(b).columns && table->rows == std::get<TableLayer>(b).rows;
  return false;
}

struct SavedDemo : testing::TestWithParam<std::string> {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  ui::model::Workspace workspace{analyses::table(),
                                 [] {
                                   return DeviceReport{{}, "none in a test"};
                                 },
                                 settings};
  QSignalSpy failed{&workspace, &ui::model::Workspace::failed};

  bool idle() {
    return QTest::qWaitFor(
        [this] {
          return workspace.files().pending() == 0 && workspace.runs().pending() == 0 &&
                 workspace.jobs().active() == 0;
        },
        kWait);
  }
  /// Makes a small run of the demo.
  void runDemo() {
    QSignalSpy loaded(&workspace, &ui::model::Workspace::demoLoaded);
    workspace.loadDemo(QString::fromStdString(GetParam()));
    ASSERT_TRUE(loaded.wait(kWait));
    auto& presenter = *workspace.presenters().current();
    if (GetParam() == "activation") presenter.options().set("draws", std::int64_t(200));
    if (GetParam() == "registration") presenter.options().set("iterations", std::string("5/5/2"));
    if (GetParam() == "surface")
      presenter.options().set("patch", std::int64_t(3)),
          presenter.options().set("neighbours", std::int64_t(16));
    ASSERT_TRUE(workspace.run(RunChoice::cpu)) << presenter.whyNot(RunChoice::cpu).toStdString();
    ASSERT_TRUE(idle());
  }
  void save(const char* name) {
    ASSERT_TRUE(workspace.currentRun());
    workspace.files().saveRun(workspace.currentRun(), folder.filePath(name));
    ASSERT_TRUE(idle());
    ASSERT_EQ(failed.count(), 0) << failed.front().back().toString().toStdString();
  }
  void makeAgain(const char* from, const char* to) {
    const bool follows = bool(workspace.currentRun()->result->adjust);
    workspace.layers().clear();
    workspace.presenters().current()->options().reset();
    workspace.openRun(folder.filePath(from));
    ASSERT_TRUE(idle());
    ASSERT_EQ(workspace.runs().runs().size(), 1u);
    EXPECT_EQ(bool(workspace.currentRun()->result->adjust), follows) << "its sliders";
    save(to);
  }
  void expectSameFiles(const char* a, const char* b) {
    int compared = 0;
    for (const auto& entry : fs::directory_iterator(folder / a)) {
      const fs::path name = entry.path().filename();
      if (entry.is_directory() || name.extension() == ".json") continue;  // times and places differ
      EXPECT_TRUE(bytesOf(entry.path()) == bytesOf(folder / b / name)) << name;
      ++compared;
    }
    EXPECT_GE(compared, 3);
  }
};

TEST_P(SavedDemo, IsMadeAgain) {
  runDemo();
  save("first");
  EXPECT_TRUE(workspace.session().lossOf(workspace.currentRun()->layers).isEmpty()) << "files hold it";

  makeAgain("first", "second");
  // The gradients of a demo have no file; in the file to which they are saved they have ten digits.
  if (GetParam() == "fibers")
    makeAgain("second", "third"), expectSameFiles("second", "third");
  else
    expectSameFiles("first", "second");
}

TEST_P(SavedDemo, ComesBackWithASessionToTheLastBit) {
  runDemo();
  ui::model::Session& session = workspace.session();
  const QString file = folder.filePath("study.sulcus");
  session.save(file);
  ASSERT_TRUE(idle());
  const ui::model::SessionState before = workspace.snapshots().take();
  session.close();
  session.open(file);
  ASSERT_TRUE(idle());
  ASSERT_EQ(failed.count(), 0) << failed.front().back().toString().toStdString();
  const auto& layers = workspace.layers().layers();
  ASSERT_EQ(layers.size(), before.layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    EXPECT_EQ(layers[i].name, before.layers[i].name);
    EXPECT_EQ(layers[i].display, before.layers[i].display) << layers[i].name.toStdString();
    // The parts of notes are not separated again.
    const auto lines = [](const Notes& notes) {
      return std::vector<std::string>(notes.begin(), notes.end());
    };
    EXPECT_EQ(lines(layers[i].layer->notes), lines(before.layers[i].layer->notes));
    EXPECT_TRUE(sameValues(layers[i].layer->content, before.layers[i].layer->content))
        << layers[i].name.toStdString();
  }
  ASSERT_EQ(workspace.runs().runs().size(), 1u);
  const ui::model::RunPtr run = workspace.runs().runs().front();
  EXPECT_TRUE(run->stored);
  workspace.runs().makeAgain(run);
  ASSERT_TRUE(idle());
  EXPECT_FALSE(run->stored);
  const auto& made = run->result->layers;
  ASSERT_EQ(made.size(), run->layers.size());
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_TRUE(sameValues(made[i].content, workspace.layers().find(run->layers[i])->layer->content))
        << made[i].name;
}

using SavedDraws = SavedDemo;

TEST_P(SavedDraws, OpenWithoutTheScanAndFollowTheirSliders) {
  QSignalSpy loaded(&workspace, &ui::model::Workspace::demoLoaded);
  workspace.loadDemo(QString::fromStdString(GetParam()));
  ASSERT_TRUE(loaded.wait(kWait));
  workspace.presenters().current()->options().set("draws", std::int64_t(200));
  workspace.presenters().current()->options().set("save-draws", true);
  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  ASSERT_TRUE(idle());
  save("draws");
  workspace.layers().clear();
  fs::remove_all(folder / "draws" / "inputs");

  workspace.openRun(folder.filePath("draws"));
  ASSERT_TRUE(idle());
  ASSERT_EQ(failed.count(), 0) << failed.front().back().toString().toStdString();
  ASSERT_EQ(workspace.runs().runs().size(), 1u);
  const ui::model::RunPtr run = workspace.runs().runs().front();
  const auto named = [&](const std::string& name) -> const Layer& {
    for (const auto id : run->layers)
      if (workspace.layers().find(id)->layer->name.starts_with(name))  // the list shows it in plain words
        return *workspace.layers().find(id)->layer;
    throw std::runtime_error("no layer " + name);
  };
  const auto shareAbove = [&] {
    double sum = 0;
    for (const float p : std::get<VolumeLayer>(named("ppm_visual").content).series->values)
      if (p == p) sum += p;
    return sum;
  };
  EXPECT_EQ(std::get<VolumeLayer>(named("draws_visual").content).series->count, 360) << "2 chains of 180";
  EXPECT_TRUE(std::any_of(run->result->plots.begin(), run->result->plots.end(),
                          [](const Plot& plot) { return plot.name == "Δ density: visual"; }));
  const double before = shareAbove();
  EXPECT_EQ(named("ppm_visual").provenance->analysis, "activation");
  workspace.runs().adjust(*run->analysis, {{"gamma", 0.5}});
  ASSERT_TRUE(QTest::qWaitFor([&] { return !workspace.runs().isAdjusting(run->id); }, kWait));
  EXPECT_LT(shareAbove(), before);
  EXPECT_EQ(named("ppm_visual").provenance->device, cpuName()) << "where the draws were made";

  workspace.runs().makeAgain(run);  // which needs the scan again
  ASSERT_TRUE(idle());
  EXPECT_EQ(failed.count(), 1);
  EXPECT_TRUE(run->stored);
}

INSTANTIATE_TEST_SUITE_P(Of, SavedDraws, testing::Values("activation"));

INSTANTIATE_TEST_SUITE_P(Each, SavedDemo, testing::Values("fibers", "activation", "registration", "surface"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace sulcus::app

int main(int count, char** arguments) {
  QCoreApplication program(count, arguments);
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
