// What the window does, without a window.
#include "ui/model/workspace.h"

#include "core/io/files.h"
#include "tests/ui/qt_folder.h"
#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct WorkspaceTest : testing::Test {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses{test::fakeAnalysis(), test::richAnalysis()};
  Workspace workspace{analyses, [] { return oneDevice(); }, settings};
  QSignalSpy failed{&workspace, &Workspace::failed};

  AnalysisPresenter& fake() { return *workspace.presenters().named("fake"); }
  AnalysisPresenter& rich() { return *workspace.presenters().named("rich"); }
  QStringList names() {
    QStringList all;
    for (const LayerState& state : workspace.layers().layers()) all << state.name;
    return all;
  }
  bool waitUntilIdle() {
    return QTest::qWaitFor(
        [this] { return workspace.runs().pending() == 0 && workspace.jobs().active() == 0; }, kWait);
  }
  QString scanFile(const char* name, int volumes = 1) {
    const QString file = folder.filePath(QLatin1String(name) + QStringLiteral(".nii"));
    io::saveLayer(volumeLayer(name, {4, 4, 4}, 1, volumes), file.toStdString());
    return file;
  }
  QString designFile() {
    QFile out(folder.filePath("design.mat"));
    EXPECT_TRUE(out.open(QIODevice::WriteOnly));
    out.write("/NumWaves 2\n/NumPoints 3\n/Matrix\n1 0\n0 1\n1 1\n");
    return out.fileName();
  }
};

TEST_F(WorkspaceTest, LoadsADemoRunsItAndShowsTheResult) {
  EXPECT_EQ(workspace.presenters().current(), &fake()) << "the first one";
  QSignalSpy loaded(&workspace, &Workspace::demoLoaded),
      chosen(&workspace.presenters(), &Presenters::currentChanged);
  workspace.loadDemo("rich");
  ASSERT_TRUE(loaded.wait(kWait));
  EXPECT_EQ(workspace.presenters().current(), &rich());
  EXPECT_EQ(chosen.count(), 1);
  EXPECT_EQ(names(), QStringList{"cube"});
  EXPECT_EQ(rich().inputs().first("image"), workspace.layers().current());
  EXPECT_EQ(workspace.view().crosshair(), (Vec3<double>{4, 4, 4}));

  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_EQ(names().back(), "map (CPU)");
  EXPECT_EQ(workspace.runs().runs().size(), 1u);
}

/// A run that is saved, closed and opened again.
struct SavedRunTest : WorkspaceTest {
  const QString saved = folder.filePath("saved");

  bool waitForFiles() {
    return QTest::qWaitFor([this] { return workspace.files().pending() == 0; }, kWait) && waitUntilIdle();
  }
  QByteArray bytesOf(const QString& name) {
    QFile file(saved + QLatin1Char('/') + name);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
    return file.readAll();
  }
  void runOn(const QString& scan) {
    workspace.files().open({scan});
    ASSERT_TRUE(waitForFiles());
    ASSERT_TRUE(workspace.run(RunChoice::cpu));
    ASSERT_TRUE(waitUntilIdle());
  }
  /// Runs the analysis with sliders.
  void runRich() {
    workspace.presenters().choose(&rich());
    workspace.files().open({scanFile("scan")});
    ASSERT_TRUE(waitForFiles());
    rich().inputs().choose("image", workspace.layers().current());
    ASSERT_TRUE(workspace.run(RunChoice::cpu));
    ASSERT_TRUE(waitUntilIdle());
  }
  void save() {
    workspace.files().saveRun(workspace.currentRun(), saved);
    EXPECT_TRUE(waitForFiles());
    EXPECT_EQ(failed.count(), 0) << (failed.empty() ? "" : failed.front().back().toString().toStdString());
  }
  void closeAndOpen() {
    workspace.layers().clear();
    ASSERT_TRUE(workspace.runs().runs().empty());
    workspace.openRun(saved);
    EXPECT_TRUE(waitForFiles());
  }
  const Layer& shown(const QString& name) {
    for (const LayerState& state : workspace.layers().layers())
      if (state.name == name) return *state.layer;
    ADD_FAILURE() << name.toStdString() << " is not in " << names().join(", ").toStdString();
    return *workspace.layers().layers().front().layer;
  }
};

TEST_F(SavedRunTest, OpensAgainAsItWas) {
  workspace.files().open({scanFile("scan")});
  ASSERT_TRUE(waitForFiles());
  fake().options().set("gain", 3.0);
  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  ASSERT_TRUE(waitUntilIdle());
  EXPECT_FALSE(workspace.session().lossOf({workspace.layers().current()}).isEmpty());
  const Series<float> before = *std::get<VolumeLayer>(shown("product (CPU)").content).series;
  save();
  EXPECT_TRUE(workspace.session().lossOf({workspace.layers().current()}).isEmpty()) << "files hold it";
  for (const char* name : {"product.nii.gz", "product.json", "extra.nii.gz", "provenance.json"})
    EXPECT_FALSE(bytesOf(name).isEmpty()) << name;
  EXPECT_FALSE(QFile::exists(saved + "/inputs")) << "the input is in a file of its own";

  fake().options().reset();
  closeAndOpen();
  EXPECT_EQ(failed.count(), 0);
  EXPECT_EQ(std::get<double>(fake().options().values().at("gain")), 3.0);
  ASSERT_EQ(workspace.runs().runs().size(), 1u);
  EXPECT_EQ(std::get<VolumeLayer>(shown("product (CPU)").content).series->values, before.values);
}

TEST_F(SavedRunTest, HoldsInputsThatAreInNoFile) {
  workspace.loadDemo("fake");
  ASSERT_TRUE(QTest::qWaitFor([&] { return workspace.canRun(RunChoice::cpu); }, kWait));
  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  ASSERT_TRUE(waitUntilIdle());
  save();
  EXPECT_FALSE(bytesOf("inputs/cube.nii.gz").isEmpty());
  closeAndOpen();
  EXPECT_EQ(failed.count(), 0);
  EXPECT_EQ(workspace.runs().runs().size(), 1u);
}

TEST_F(SavedRunTest, IsSavedAsItWasAdjustedAndFollowsItsSlidersWhenItIsOpen) {
  ASSERT_NO_FATAL_FAILURE(runRich());
  const auto settled = [&](double level) {
    return QTest::qWaitFor(
        [&] {
          const auto& runs = workspace.runs().runs();
          return !runs.empty() && std::get<double>(runs.back()->options.at("level")) == level;
        },
        kWait);
  };
  rich().options().set({{"level", 7.5}, {"contrasts", std::string("a")}});
  ASSERT_TRUE(settled(7.5));
  EXPECT_EQ(test::firstValue(shown("contrast_a (CPU)")), 7.5F);
  save();
  const Layer level = io::openVolume((saved + "/level.nii.gz").toStdString());
  EXPECT_EQ(test::firstValue(level), 7.5F);
  EXPECT_TRUE(bytesOf("level.json").contains("7.5"));
  EXPECT_FALSE(bytesOf("contrast_a.nii.gz").isEmpty());
  EXPECT_FALSE(bytesOf("map.nii.gz").isEmpty());
  EXPECT_FALSE(bytesOf("method.txt").isEmpty());
  EXPECT_FALSE(QFile::exists(saved + "/report.txt"));
  JobListModel& jobs = workspace.jobs();
  EXPECT_TRUE(jobs.logOf(jobs.idAt(0)).join("").contains("report.txt was skipped"));

  rich().options().reset();
  closeAndOpen();
  ASSERT_TRUE(settled(7.5));
  EXPECT_EQ(test::firstValue(shown("contrast_a (CPU)")), 7.5F);
  rich().options().set("level", 2.5);
  ASSERT_TRUE(settled(2.5));
  EXPECT_EQ(test::firstValue(shown("level (CPU)")), 2.5F);
}

TEST_F(SavedRunTest, LeavesTheSlidersOfOtherRunsAlone) {
  ASSERT_NO_FATAL_FAILURE(runRich());
  save();
  const RunPtr first = workspace.currentRun();
  rich().options().set("level", 7.5);
  ASSERT_TRUE(QTest::qWaitFor([&] { return std::get<double>(first->options.at("level")) == 7.5; }, kWait));
  workspace.openRun(saved);
  ASSERT_TRUE(waitForFiles());
  ASSERT_EQ(workspace.runs().runs().size(), 2u);
  EXPECT_EQ(std::get<double>(first->options.at("level")), 7.5);
  EXPECT_EQ(std::get<double>(workspace.runs().runs().back()->options.at("level")), 0);
  EXPECT_EQ(std::get<double>(rich().options().values().at("level")), 0) << "of the run that came last";
  workspace.layers().setCurrent(first->layers.front());
  EXPECT_EQ(std::get<double>(rich().options().values().at("level")), 7.5) << "of the one that is chosen";
}

TEST_F(SavedRunTest, IsMadeOfInputsWhoseRelativePathsBeganAbove) {
  const QString scan = scanFile("scan");
  runOn(scan);
  save();
  const QByteArray relative = bytesOf("provenance.json").replace(scan.toUtf8(), "scan.nii");
  QFile provenance(saved + "/provenance.json");
  ASSERT_TRUE(provenance.open(QIODevice::WriteOnly));
  provenance.write(relative);
  provenance.close();
  closeAndOpen();
  EXPECT_EQ(failed.count(), 0);
  EXPECT_EQ(workspace.runs().runs().size(), 1u);
}

TEST_F(SavedRunTest, IsNotMadeOfOtherInputs) {
  const QString scan = scanFile("scan");
  runOn(scan);
  save();
  io::saveLayer(volumeLayer("scan", {4, 4, 4}, 9), scan.toStdString(), true);
  closeAndOpen();
  ASSERT_EQ(failed.count(), 1);
  EXPECT_TRUE(failed[0][1].toString().contains("has changed since the run was saved"));
  EXPECT_TRUE(workspace.layers().empty());
  ASSERT_TRUE(QFile::remove(scan));
  workspace.openRun(saved);
  ASSERT_TRUE(waitForFiles());
  ASSERT_EQ(failed.count(), 2);
  EXPECT_TRUE(failed[1][1].toString().contains("of the run is missing"));
}

TEST_F(SavedRunTest, ReplacesNothingAndOpensNothingElse) {
  workspace.loadDemo("fake");
  ASSERT_TRUE(QTest::qWaitFor([&] { return workspace.canRun(RunChoice::cpu); }, kWait));
  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  ASSERT_TRUE(waitUntilIdle());
  save();
  workspace.files().saveRun(workspace.currentRun(), saved);
  ASSERT_TRUE(waitForFiles());
  ASSERT_EQ(failed.count(), 1);
  EXPECT_TRUE(failed[0][1].toString().contains("exists already"));
  workspace.openRun(folder.filePath("."));
  ASSERT_TRUE(waitForFiles());
  EXPECT_EQ(failed.count(), 2) << "there is no provenance.json";
}

TEST_F(SavedRunTest, DoesNotTakeForSavedWhatWasPaintedOnItsLabels) {
  analyses[0].cpu = [run = analyses[0].cpu](const AnalysisInputs& inputs, const OptionValues& values,
                                            const Progress& progress, const Analysis::Preview& preview) {
    RunResult result = run(inputs, values, progress, preview);
    Layer labels;
    labels.name = "found";
    labels.content = LabelsLayer{std::make_shared<const Volume<Label>>(Grid{{4, 4, 4}, {}}), {}};
    result.layers.push_back(labels);
    return result;
  };
  runOn(scanFile("scan"));
  const auto& all = workspace.layers().layers();
  const auto found = std::ranges::find_if(
      all, [](const LayerState& state) { return std::holds_alternative<LabelsLayer>(state.layer->content); });
  ASSERT_NE(found, all.end());
  const LayerId id = found->id;
  Layer painted = *found->layer;
  auto volume = std::make_shared<Volume<Label>>(*std::get<LabelsLayer>(painted.content).labels);
  volume->values[5] = 1;
  std::get<LabelsLayer>(painted.content).labels = volume;
  workspace.layers().replaceContent(id, shared(painted), true);

  save();

  for (const LayerState& state : workspace.layers().layers())
    EXPECT_EQ(state.unsaved, state.id == id) << state.name.toStdString();
}

TEST_F(WorkspaceTest, RunsOnlyWhatCanBeRun) {
  EXPECT_FALSE(workspace.canRun(RunChoice::cpu)) << "no input";
  EXPECT_FALSE(workspace.run(RunChoice::cpu));
  workspace.layers().add(shared(volumeLayer("image")));
  EXPECT_TRUE(workspace.canRun(RunChoice::cpu));
  EXPECT_FALSE(workspace.canRun(RunChoice::gpu)) << "nobody has asked for devices";
  QSignalSpy known(&workspace.processors(), &Processors::known);
  workspace.processors().ask();
  ASSERT_TRUE(known.wait(kWait));
  EXPECT_TRUE(workspace.canRun(RunChoice::both));
}

TEST_F(WorkspaceTest, ReportsAFailedRunAndAFailedFileInOnePlace) {
  workspace.layers().add(shared(volumeLayer("image")));
  fake().options().set("failing", true);
  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  ASSERT_TRUE(failed.wait(kWait));
  EXPECT_EQ(failed.front()[1].toString(),
            "The image cannot be used (the test asked for it): switch Fail off");
  workspace.files().open({folder.filePath("missing.nii")});
  ASSERT_TRUE(failed.wait(kWait));
  EXPECT_TRUE(failed.back()[1].toString().contains("missing.nii"));
}

TEST_F(WorkspaceTest, OpensAFileIntoTheSlotItWasOpenedFor) {
  workspace.openForInput(rich(), "maps", {scanFile("one"), scanFile("two")});
  ASSERT_TRUE(QTest::qWaitFor([&] { return rich().inputs().of("maps").size() == 2; }, kWait));
  EXPECT_EQ(workspace.layers().find(rich().inputs().of("maps")[1])->name, "two");
  EXPECT_EQ(failed.count(), 0);
}

TEST_F(WorkspaceTest, SaysWhichFileItsSlotDidNotTake) {
  workspace.openForInput(rich(), "design", {scanFile("four")});
  ASSERT_TRUE(failed.wait(kWait));
  EXPECT_TRUE(failed.front()[1].toString().startsWith("'four' was opened and not taken for 'Design'"));
  EXPECT_EQ(rich().inputs().first("design"), 0);
  EXPECT_EQ(names(), QStringList{"four"}) << "it stays open";
}

TEST_F(WorkspaceTest, TakesTheDesignNextToASeriesWhereTheSeriesIsTaken) {
  designFile();
  workspace.files().open({scanFile("bold", 3)});
  ASSERT_TRUE(QTest::qWaitFor([&] { return rich().inputs().first("design") != 0; }, kWait));
  EXPECT_EQ(names(), (QStringList{"design", "bold"})) << "the scan on top";
}

TEST_F(WorkspaceTest, TakesASeriesWithItsDesignInsteadOfAnUnchosenOne) {
  workspace.layers().add(shared(volumeLayer("some volume")));
  ASSERT_EQ(workspace.layers().find(rich().inputs().first("image"))->name, "some volume");
  designFile();
  workspace.files().open({scanFile("bold", 3)});
  ASSERT_TRUE(QTest::qWaitFor([&] { return rich().inputs().first("design") != 0; }, kWait));
  EXPECT_EQ(workspace.layers().find(rich().inputs().first("image"))->name, "bold");
}

TEST_F(WorkspaceTest, KeepsADesignThatWasChosen) {
  const LayerId chosen = workspace.layers().add(shared(test::designTable()));
  rich().inputs().choose("design", chosen);
  designFile();
  workspace.files().open({scanFile("bold", 3)});
  ASSERT_TRUE(QTest::qWaitFor([&] { return workspace.files().pending() == 0; }, kWait));
  EXPECT_EQ(workspace.layers().layers().size(), 3u);
  EXPECT_EQ(rich().inputs().first("design"), chosen);
}

TEST_F(WorkspaceTest, SuggestsAResultOverItsInput) {
  const LayerId image = workspace.layers().add(shared(volumeLayer("image")));
  workspace.layers().add(shared(volumeLayer("another")));
  fake().inputs().choose("image", image);
  ASSERT_TRUE(workspace.run(RunChoice::cpu));
  ASSERT_TRUE(waitUntilIdle());
  workspace.imageOverlay().setMode(ImageOverlay::Mode::blend);
  EXPECT_EQ(workspace.imageOverlay().caption(), "image 50\u00a0%, product (CPU) 50\u00a0%");
}

TEST_F(WorkspaceTest, ReadsAFieldByTheOtherConvention) {
  Layer field;
  field.name = "warp";
  Grid grid;
  grid.size = {1, 1, 1};
  auto u = std::make_shared<Series<float>>(grid, 3);
  u->values = {3, -2, 1};
  field.content = DisplacementLayer{u};
  const LayerId id = workspace.layers().add(shared(std::move(field)));
  QSignalSpy turned(&workspace.layers(), &LayerStack::contentChanged);
  workspace.evaluation().derived.readFieldAs(id, FieldConvention::slicer);
  ASSERT_TRUE(turned.wait(kWait));
  const Layer& now = *workspace.layers().find(id)->layer;
  EXPECT_EQ(std::get<DisplacementLayer>(now.content).displacement->values, (std::vector<float>{-3, 2, 1}));
  EXPECT_EQ(now.notes.back().line(), "Read as 3D Slicer writes it (RAS), as chosen here.");
}

TEST_F(WorkspaceTest, RemembersHowTheViewsWereLookedAt) {
  EXPECT_TRUE(workspace.view().radiological());
  workspace.view().setRadiological(false);
  workspace.view().setMouseScheme(MouseScheme::zoom);
  Workspace next(
      analyses, [] { return DeviceReport(); }, settings);
  EXPECT_FALSE(next.view().radiological());
  EXPECT_EQ(next.view().mouseScheme(), MouseScheme::zoom);
}

TEST_F(WorkspaceTest, EndsDuringARun) {
  auto other = std::make_unique<Workspace>(
      analyses, [] { return DeviceReport(); }, settings);
  other->layers().add(shared(volumeLayer("image")));
  other->presenters().named("fake")->options().set("rounds", std::int64_t(1000000));
  ASSERT_TRUE(other->run(RunChoice::cpu));
  other.reset();
}

}  // namespace
}  // namespace sulcus::ui::model
