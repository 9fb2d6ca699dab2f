// Sessions: saved, opened, refused.
#include "core/image/diffusion/harmonics_image.h"
#include "tests/ui/model/session/session_fixture.h"
#include "ui/model/comparison/compared_layers.h"

#include <QDir>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace sulcus::ui::model {
namespace {

using test::oneDevice;
using test::shared;
using test::volumeLayer;

TEST_F(SessionTest, OfAnOlderVersionHasTheOctantAlone) {
  openScan("scan");
  save();
  QByteArray text = bytes();
  ASSERT_TRUE(text.contains("\"Cut\": \"octant\""));
  write(text.replace("\"Cut\": \"octant\"", "\"CutOpen\": false"));
  start();
  open();
  EXPECT_EQ(named("scan")->display.cut, Cut::nothing);
}

TEST_F(SessionTest, OpensAgainWithAllLayersAsTheyWereShown) {
  openScan("scan");
  openScan("other");
  Display display = named("scan")->display;
  display.opacity = 0.37;
  display.colormap = "viridis";
  display.negativeColormap = "magma";
  display.range = Range{0.25, 3.75};
  display.hideBelow = 1.5;
  display.fade = true;
  display.cut = Cut::facing;
  layers().setDisplay(named("scan")->id, display);
  layers().setOpacityBy(named("scan")->id, named("other")->id);
  layers().rename(named("other")->id, "my other");
  layers().move(named("my other")->id, 0);
  workspace->view().setCrosshair({1.25, 2.5, 3.125});
  workspace->view().setExtent(77);
  const SliceTurn turn = turnedAbout({}, {0, 0.6, 0.8}, 0.3);
  workspace->view().setTurn(turn);
  workspace->presenters().choose(&rich());
  rich().options().set("scale", 12.0);
  rich().inputs().choose("image", named("scan")->id);
  rich().inputs().choose("maps", {named("scan")->id, named("my other")->id});
  save();
  EXPECT_FALSE(QDir(file + ".d").exists()) << "everything is in files of its own";
  EXPECT_TRUE(bytes().contains("\"Path\": \"scan.nii\"")) << "seen from the session";
  start();
  open();
  EXPECT_EQ(failed->count(), 0);
  EXPECT_EQ(names(), (QStringList{"my other", "scan"}));
  EXPECT_EQ(named("scan")->display, display);
  EXPECT_EQ(named("scan")->opacityBy, named("my other")->id);
  EXPECT_EQ(workspace->view().crosshair(), (Vec3<double>{1.25, 2.5, 3.125}));
  EXPECT_EQ(workspace->view().extent(), 77);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(norm(workspace->view().turn().axes[i] - turn.axes[i]), 0, 1e-15);
  EXPECT_EQ(workspace->presenters().current(), &rich());
  EXPECT_EQ(std::get<double>(rich().options().values().at("scale")), 12);
  EXPECT_EQ(rich().inputs().first("image"), named("scan")->id);
  EXPECT_EQ(rich().inputs().of("maps"), (std::vector{named("scan")->id, named("my other")->id}));
  EXPECT_EQ(session().file(), file);
  EXPECT_FALSE(session().modified());
  EXPECT_FALSE(session().canUndo());
}

TEST_F(SessionTest, HoldsTheNamesOfThePointsOfASurface) {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {9, 0, 0}, {0, 9, 0}};
  mesh.triangles = {{0, 1, 2}};
  mesh.pointScalars["aparc"] = {3, 3, 0};
  mesh.labelTables["aparc"] = std::make_shared<const LabelTable>(LabelTable{{3, {"cap", {{1, 2, 3}}}}});
  Layer layer;
  layer.name = "white";
  layer.content = MeshLayer{std::make_shared<const Mesh>(mesh)};
  layers().add(shared(std::move(layer)), Origin::computed);
  save();
  start();
  open();
  EXPECT_EQ(failed->count(), 0);
  ASSERT_TRUE(named("white"));
  const auto& opened = *std::get<MeshLayer>(named("white")->layer->content).mesh;
  EXPECT_EQ(opened.pointScalars, mesh.pointScalars);
  ASSERT_TRUE(opened.labelTables.contains("aparc"));
  EXPECT_EQ(*opened.labelTables.at("aparc"), *mesh.labelTables.at("aparc"));
}

TEST_F(SessionTest, HoldsFunctions) {
  Grid grid;
  grid.size = {3, 4, 5};
  auto forms = std::make_shared<Series<float>>(grid, 15);
  for (std::size_t i = 0; i < forms->values.size(); ++i) forms->values[i] = float(std::sin(double(i)));
  Layer made = functionLayer("fod", forms);
  made.notes = {"Order 8.", Note("chosen by the shells.", "order"),
                Note("No sides.").about(Subject::assumedSides),
                Note::warning("little signal.", "Take more volumes.", "shells")};
  layers().add(shared(made), Origin::computed);
  save();
  start();
  open();
  EXPECT_EQ(failed->count(), 0);
  ASSERT_TRUE(named("fod"));
  ASSERT_TRUE(isFunctionAlone(*named("fod")->layer));
  EXPECT_EQ(std::get<PeaksLayer>(named("fod")->layer->content).tensor->values, forms->values);
  EXPECT_EQ(named("fod")->layer->notes, made.notes);
}

TEST_F(SessionTest, HoldsResultsToTheLastBitWithoutRunningAgain) {
  Grid grid;
  grid.size = {3, 4, 5};
  grid.worldFromVoxel.m[0][0] = 1.0 / 3;
  grid.worldFromVoxel.t = {0.1, -1.0 / 7, 100.00001};
  auto series = std::make_shared<Series<float>>(grid, 1);
  for (std::size_t i = 0; i < series->values.size(); ++i) series->values[i] = float(std::sin(double(i)));
  series->values[3] = std::numeric_limits<float>::quiet_NaN();
  Layer layer;
  layer.name = "phantom";
  layer.content = VolumeLayer{series, {}, 2.5, {"only"}};
  layers().add(shared(layer));
  layers().add(shared(test::designTable()));
  run();
  const auto before = values("product (CPU)");
  ASSERT_FALSE(before.empty());
  EXPECT_TRUE(session().modified());
  save();
  EXPECT_FALSE(session().modified());
  EXPECT_EQ(session().loss(), "");
  start();
  analyses[0].cpu = [](const AnalysisInputs&, const OptionValues&, const Progress&,
                       const Analysis::Preview&) {
    ADD_FAILURE() << "it runs again";
    return RunResult();
  };
  open();
  EXPECT_EQ(failed->count(), 0);
  EXPECT_FALSE(session().modified());
  const auto after = values("product (CPU)");
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(std::memcmp(after.data(), before.data(), before.size() * sizeof(float)), 0);
  const auto& phantom = std::get<VolumeLayer>(named("phantom")->layer->content);
  EXPECT_EQ(phantom.series->grid.worldFromVoxel, grid.worldFromVoxel) << "more digits than NIfTI has";
  EXPECT_EQ(phantom.secondsPerVolume, 2.5);
  EXPECT_EQ(phantom.volumeNames, std::vector<std::string>{"only"});
  EXPECT_EQ(std::get<TableLayer>(named("design")->layer->content).rows,
            std::get<TableLayer>(test::designTable().content).rows);
  ASSERT_EQ(workspace->runs().runs().size(), 1u);
  const RunPtr run = workspace->runs().runs().front();
  EXPECT_TRUE(run->stored);
  EXPECT_EQ(run->title, "CPU");
  EXPECT_EQ(run->result->seconds, 1);
  EXPECT_EQ(run->layers.size(), 2u);
  EXPECT_EQ(workspace->runs().runOf(named("product (CPU)")->id), run);
  // The next save does not rewrite files, and neither loses a layer.
  const QStringList stored = QDir(file + ".d").entryList(QDir::Files);
  save();
  EXPECT_EQ(QDir(file + ".d").entryList(QDir::Files), stored);
}

TEST_F(SessionTest, BringsBackAComparisonWithoutComparingAgain) {
  layers().add(shared(volumeLayer("image")));
  run(RunChoice::both);
  QSignalSpy compared(&workspace->runs().comparer(), &RunComparer::finished);
  save();
  start();
  analyses[0].compare = [](const RunResult&, const RunResult&, const Progress&) {
    ADD_FAILURE() << "it compares again";
    return Comparison();
  };
  QSignalSpy again(&workspace->runs().comparer(), &RunComparer::finished);
  open();
  ASSERT_EQ(again.count(), 1);
  const auto shown = again.front().front().value<ComparedPtr>();
  EXPECT_EQ(shown->comparison.rows.front().maximum, 0.25);
  EXPECT_EQ(shown->comparison.worst.front().voxel, (Vec3<int>{1, 2, 3}));
  EXPECT_TRUE(layers().find(shown->difference));
  EXPECT_EQ(shown->a, workspace->runs().runs()[0]);
}

TEST_F(SessionTest, BringsBackAComparisonOfTwoLayers) {
  const LayerId a = layers().add(shared(volumeLayer("a"))), b = layers().add(shared(volumeLayer("b")));
  QSignalSpy compared(&workspace->runs().comparer(), &RunComparer::finished);
  workspace->runs().comparer().compare(sideOf(*layers().find(a)), sideOf(*layers().find(b)));
  ASSERT_TRUE(compared.count() > 0 || compared.wait(kWait));
  const LayerId difference = compared.front().front().value<ComparedPtr>()->difference;
  EXPECT_TRUE(layers().find(difference));
  save();
  start();
  QSignalSpy again(&workspace->runs().comparer(), &RunComparer::finished),
      gone(&workspace->runs().comparer(), &RunComparer::gone);
  open();
  ASSERT_EQ(again.count(), 1);
  const auto shown = again.front().front().value<ComparedPtr>();
  EXPECT_EQ(shown->a->title, "a");
  EXPECT_EQ(shown->b->layers, std::vector{named("b")->id});
  EXPECT_TRUE(layers().find(shown->difference));
  layers().remove(named("b")->id);
  EXPECT_EQ(gone.count(), 1) << "what was compared is gone";
}

TEST_F(SessionTest, MakesARunAgainWhenItsSliderIsMoved) {
  workspace->presenters().choose(&rich());
  layers().add(shared(volumeLayer("image")));
  rich().options().set({{"level", 4.0}, {"contrasts", std::string("a")}});
  run();
  save();
  start();
  open();
  const auto trace = workspace->evaluation().plots.names();
  EXPECT_TRUE(trace.contains("Trace") && trace.contains("Histogram")) << trace.join(", ").toStdString();
  EXPECT_EQ(std::get<double>(rich().options().values().at("level")), 4);
  const LayerId id = named("level (CPU)")->id;
  rich().options().set("level", 6.5);
  ASSERT_TRUE(waitFor([&] { return test::firstValue(*layers().find(id)->layer) == 6.5F; }));
  const RunPtr made = workspace->runs().runs().front();
  EXPECT_FALSE(made->stored);
  EXPECT_EQ(std::get<double>(made->options.at("level")), 6.5);
  EXPECT_TRUE(named("contrast_a (CPU)"));
  EXPECT_TRUE(session().modified());
}

TEST_F(SessionTest, ShowsNoPreviewOfInputsOverTheirResult) {
  analyses[0].inputLayers = [](const AnalysisInputs&, const OptionValues&, const Progress&) {
    return std::vector{volumeLayer("seen")};
  };
  start();
  openScan("scan");
  ASSERT_TRUE(waitFor([&] { return named("seen (preview)"); }));
  run();
  EXPECT_FALSE(named("seen (preview)"));
  save();
  start();
  open();
  EXPECT_FALSE(QTest::qWaitFor([&] { return named("seen (preview)") != nullptr; }, 300));
  workspace->presenters().named("fake")->options().set("gain", 9.0);
  EXPECT_TRUE(waitFor([&] { return named("seen (preview)"); }));
}

TEST_F(SessionTest, ComparesStoredRunsWhenTheyHaveBeenMadeAgain) {
  layers().add(shared(volumeLayer("image")));
  run();
  run();
  save();
  start();
  open();
  QSignalSpy compared(&workspace->runs().comparer(), &RunComparer::finished),
      begun(&workspace->runs().comparer(), &RunComparer::comparing);
  workspace->runs().comparer().compare(workspace->runs().runs()[0], workspace->runs().runs()[1]);
  ASSERT_EQ(begun.count(), 1);
  EXPECT_TRUE(begun.front().at(2).toBool()) << "it is said that they are made again first";
  ASSERT_TRUE(compared.count() > 0 || compared.wait(kWait));
  EXPECT_FALSE(workspace->runs().runs()[0]->stored);
}

TEST_F(SessionTest, RefusesWhatIsNotASessionAndKeepsWhatIsOnScreen) {
  openScan("scan");
  run();
  save();
  const QByteArray whole = bytes();
  const auto refuse = [&](const QByteArray& text, const char* sentence) {
    write(text);
    failed->clear();
    open();
    ASSERT_EQ(failed->count(), 1) << sentence;
    EXPECT_TRUE(failed->front()[1].toString().contains(QLatin1String(sentence)))
        << failed->front()[1].toString().toStdString();
    EXPECT_EQ(names().size(), 3) << sentence;
  };
  refuse(whole.left(whole.size() / 2), "study.sulcus");
  refuse("", "study.sulcus");
  refuse("{\"a\": 1}", "is not a session");
  refuse("[1, 2]", "is not a session");
  refuse(QByteArray("{\"Sulcus\": \"session\", \"Format\": 9, \"Version\": \"7.1\"}"),
         "open it with the version that saved it");
  refuse("{\"Sulcus\": \"session\", \"Format\": 1}", "is not a readable session");
  refuse(QByteArray(200, '[') + QByteArray(200, ']'), "nested too deeply");
  refuse(QByteArray(whole).replace("\"Stored\": \"", "\"Stored\": \"../../"), "outside of its folder");
  refuse(QByteArray(whole).replace("\"Content\": 0", "\"Content\": 70"), "is not a readable session");
  refuse(QByteArray(whole).replace("\"Opacity\": 1.0", "\"Opacity\": \"x\""), "is not a readable session");
  refuse(QByteArray(20'000'000, ' '), "study.sulcus");
  write(whole);
  open();
  EXPECT_EQ(opened->count(), 1);
}

TEST_F(SessionTest, DoesNotOverwriteWhatAnotherWindowHasSaved) {
  openScan("scan");
  save();
  Workspace other(
      analyses, [] { return oneDevice(); }, settings);
  QSignalSpy otherOpened(&other.session(), &Session::opened), otherSaved(&other.session(), &Session::saved);
  other.session().open(file);
  ASSERT_TRUE(otherOpened.wait(kWait));
  layers().rename(named("scan")->id, "mine");
  save();
  const QByteArray mine = bytes();
  QSignalSpy refused(&other, &Workspace::failed);
  other.session().save(file);
  ASSERT_TRUE(refused.wait(kWait));
  EXPECT_TRUE(refused.front()[1].toString().contains("was saved by another window"));
  EXPECT_EQ(bytes(), mine);
  other.session().save(folder.filePath("theirs.sulcus"));
  ASSERT_TRUE(otherSaved.wait(kWait));
}

TEST_F(SessionTest, CanBeOpenedAndSavedInOneWindowAsOftenAsOneLikes) {
  openScan("scan");
  run();
  save();
  for (int i = 0; i < 30; ++i) {
    open();
    save();
  }
  EXPECT_EQ(failed->count(), 0);
  EXPECT_EQ(opened->count(), 30);
}

TEST_F(SessionTest, SavedWhileAllIsClosedGivesItsFileToNothingElse) {
  openScan("scan");
  session().save(file);
  session().close();
  ASSERT_TRUE(settle());
  EXPECT_EQ(session().file(), QString());
  EXPECT_FALSE(session().modified());
  start();
  open();
  EXPECT_EQ(names(), QStringList{"scan"});
}

TEST_F(SessionTest, ReportsMissingFilesAndOpensTheRestOrSearchesElsewhere) {
  openScan("scan");
  openScan("other");
  save();
  QDir().mkpath(folder.filePath("moved/deep"));
  ASSERT_TRUE(QFile::rename(folder.filePath("scan.nii"), folder.filePath("moved/scan.nii")));
  ASSERT_TRUE(QFile::rename(folder.filePath("scan.json"), folder.filePath("moved/scan.json")));
  start();
  open();
  ASSERT_EQ(missing->count(), 1);
  EXPECT_EQ(missing->front()[1].toStringList(), QStringList{folder.filePath("scan.nii")});
  EXPECT_TRUE(layers().empty()) << "first someone decides";
  open(folder.filePath("moved"));
  EXPECT_EQ(names(), (QStringList{"scan", "other"}));
  open({}, true);
  EXPECT_EQ(names(), QStringList{"other"});
  EXPECT_TRUE(opened->back()[1].toStringList().join("").contains("scan.nii is missing"));
}

TEST_F(SessionTest, SaysWhichFileHasChanged) {
  openScan("scan");
  run();
  save();
  scan("scan", 9);
  start();
  open();
  ASSERT_EQ(opened->count(), 1);
  EXPECT_TRUE(opened->front()[1].toStringList().join("").contains("scan.nii' has changed"));
  EXPECT_EQ(values("scan").front(), 9);
  EXPECT_EQ(values("product (CPU)").front(), 2) << "made of what it was";
  workspace->runs().makeAgain(workspace->runs().runs().front());
  ASSERT_EQ(failed->count(), 1) << "it would be another one";
  EXPECT_TRUE(failed->front()[1].toString().contains("cannot be repeated"));
}

TEST_F(SessionTest, MovesWithItsFiles) {
  openScan("scan");
  run();
  save();
  QDir().mkpath(folder.filePath("elsewhere"));
  for (const char* name : {"study.sulcus", "study.sulcus.d", "scan.nii", "scan.json"})
    ASSERT_TRUE(QFile::rename(folder.filePath(name), folder.filePath(QString("elsewhere/") + name)));
  start();
  session().open(folder.filePath("elsewhere/study.sulcus"));
  ASSERT_TRUE(settle());
  EXPECT_EQ(names().size(), 3);
  EXPECT_EQ(missing->count(), 0);
}

TEST_F(SessionTest, LeavesNothingOfASaveThatFails) {
  layers().add(shared(volumeLayer("phantom")));
  ASSERT_TRUE(QDir().mkpath(file + "/folder"));  // where the file should be
  session().save(file);
  ASSERT_TRUE(settle());
  EXPECT_EQ(failed->count(), 1);
  EXPECT_FALSE(QDir(file + ".d").exists());
}

TEST_F(SessionTest, SaysWhyItsFolderCannotBeCreated) {
  layers().add(shared(volumeLayer("phantom")));
  QFile other(file + ".d");  // where the folder should be
  ASSERT_TRUE(other.open(QIODevice::WriteOnly));
  other.close();
  session().save(file);
  ASSERT_TRUE(settle());
  ASSERT_EQ(failed->count(), 1);
  EXPECT_TRUE(failed->front()[1].toString().contains("study.sulcus.d"))
      << failed->front()[1].toString().toStdString();
  EXPECT_TRUE(other.exists());
  EXPECT_FALSE(QFile::exists(file));
}

TEST_F(SessionTest, RemovesFromItsFolderWhatIsNotNeededAndNothingElse) {
  layers().add(shared(volumeLayer("phantom")));
  run();
  save();
  QFile note(file + ".d/note.txt");
  ASSERT_TRUE(note.open(QIODevice::WriteOnly));
  note.close();
  const auto count = [&] { return QDir(file + ".d").entryList({"*.nii.gz"}).size(); };
  EXPECT_EQ(count(), 3);
  layers().remove(named("extra (CPU)")->id);
  save();
  EXPECT_EQ(count(), 2);
  EXPECT_TRUE(note.exists());
}

TEST_F(SessionTest, ShortensNamesThatTheWindowCouldNotShow) {
  openScan("scan");
  layers().rename(named("scan")->id, QString(100'000, QLatin1Char('n')));
  save();
  start();
  open();
  ASSERT_EQ(names().size(), 1);
  EXPECT_LE(names().front().size(), 201);  // including the ellipsis
}

TEST_F(SessionTest, RemovesNothingWhereALinkLeads) {
  layers().add(shared(volumeLayer("phantom")));
  run();
  namespace fs = std::filesystem;
  const fs::path other = folder.filePath("other").toStdString(), link = (file + ".d").toStdString();
  fs::create_directories(other);
  std::ofstream(other / "1_thesis.txt") << "years";
  fs::create_directory_symlink(other, link);
  session().save(file);
  ASSERT_TRUE(settle());
  EXPECT_TRUE(fs::exists(other / "1_thesis.txt"));
  ASSERT_EQ(failed->count(), 1);
  EXPECT_TRUE(failed->last().at(1).toString().contains("is a link"));
  EXPECT_FALSE(QFile::exists(file));
}

/// Tracts come before the labels that choose some of them.
TEST_F(SessionTest, KeepsBundlesOfLabels) {
  auto tracts = std::make_shared<Tracts>();
  for (int line = 0; line < 6; ++line) {
    for (int x = 0; x < 4; ++x) tracts->points.push_back({float(x), float(line), 0});
    tracts->first.push_back(tracts->points.size());
  }
  auto lines = std::make_shared<Layer>();
  lines->name = "lines";
  lines->content = TractsLayer{tracts};
  layers().add(lines);
  Grid grid;
  grid.size = {4, 6, 1};
  auto labels = std::make_shared<Volume<Label>>(grid);
  (*labels)(1, 2, 0) = (*labels)(1, 3, 0) = 17;
  layers().add(std::make_shared<Layer>(labelsLayer("regions", labels)));
  layers().setCurrent(named("lines")->id);
  workspace->editing().dissection.addLabel(named("regions")->id, 17, TractRegion::Role::include);
  const auto chosen = [this] {
    const auto& bundles = std::get<TractsLayer>(named("lines")->layer->content).bundles;
    return bundles ? bundles->at(0).lines : std::vector<std::uint32_t>();
  };
  ASSERT_TRUE(waitFor([&] { return chosen().size() == 2; }));
  save();
  start();
  open();
  EXPECT_EQ(failed->count(), 0);
  EXPECT_EQ(chosen(), (std::vector<std::uint32_t>{2, 3}));
  const auto region = std::get<TractsLayer>(named("lines")->layer->content).bundles->at(0).regions.at(0);
  EXPECT_EQ(workspace->editing().dissection.labelsOf(region), named("regions")->id)
      << "so that it follows the brush";
  write(bytes().replace("\"Image\": 1", "\"Image\": 0"));
  start();
  open();
  EXPECT_EQ(chosen().size(), 6u) << "a region of no image is none";
}

}  // namespace
}  // namespace sulcus::ui::model
