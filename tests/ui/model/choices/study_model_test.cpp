// Browsing a study, without a window.
#include "ui/model/choices/study_model.h"

#include "core/base/sentence.h"
#include "core/bids/results/write_run.h"
#include "core/io/files.h"
#include "tests/ui/qt_folder.h"
#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"
#include "ui/model/workspace.h"

#include <QSignalSpy>
#include <QTest>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

namespace fs = std::filesystem;

/// Results of three participants; the run of 02 failed without results, its scan exists.
struct StudyModelTest : testing::Test {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses{test::fakeAnalysis()};
  Workspace workspace{analyses, [] { return test::oneDevice(); }, settings};
  StudyModel& study = workspace.study();
  LayerStack& layers = workspace.layers();
  const fs::path root = folder / "study", results = root / "derivatives" / "sulcus";

  void SetUp() override {
    fs::create_directories(results);
    std::ofstream(root / "dataset_description.json") << R"({"Name": "s"})";
    std::ofstream(results / "dataset_description.json")
        << R"({"DatasetLinks": {"raw": "file://)" << root.string() << R"("}})";
    std::vector<bids::Record> records;
    for (const std::string subject : {"01", "02", "03"}) {
      bids::Record record;
      record.analysis = "fibers", record.subject = subject, record.run = "sub-" + subject;
      record.done = subject != "02", record.problem = record.done ? "" : "it broke";
      record.key = "{}";
      const std::string stem = record.run + "/dwi/" + record.run;
      for (const fs::path& place : {root, results}) fs::create_directories(place / record.run / "dwi");
      io::saveLayer(test::volumeLayer("scan", {4, 4, 4}, 1, 1), root / (stem + "_dwi.nii"));
      if (record.done) {
        io::saveLayer(test::volumeLayer("map", {4, 4, 4}, 2, 1), results / (stem + "_map.nii"));
        record.provenance.inputs = {{"dwi", "bids:raw:" + stem + "_dwi.nii", ""}};
        record.files = {stem + "_map.nii"};
      }
      io::writeFile(results / record.run / "dwi" / (record.run + "_desc-fibers_provenance.json"),
                    bids::recordText(record));
      records.push_back(record);
    }
    io::writeFile(results / "participants.tsv", bids::participantTable({}, records).tsv);
  }
  bool open() {
    study.open(QString::fromStdString(root.string()));
    return waitFor(0);
  }
  bool waitFor(int row) {
    return QTest::qWaitFor([&] { return study.current() == row; }, kWait);
  }
  QStringList names() const {
    QStringList all;
    for (const LayerState& state : layers.layers()) all << state.name;
    return all;
  }
  QModelIndex cell(int row, int column) const { return study.index(row, column); }
};

TEST_F(StudyModelTest, BeginsWithTheWorst) {
  ASSERT_TRUE(open());
  EXPECT_EQ(study.rowCount(), 3);
  EXPECT_EQ(cell(0, StudyModel::participant).data(), "sub-02");
  EXPECT_EQ(cell(0, StudyModel::participant).data(Qt::ToolTipRole), "it broke");
  EXPECT_EQ(cell(0, StudyModel::firstCell).data(), "failed");
  EXPECT_EQ(names(), QStringList{"sub-02_dwi"}) << "its map is not there";
  EXPECT_TRUE(study.summary().contains("it broke"));
}

TEST_F(StudyModelTest, TakesAScanThatIsAlreadyOpen) {
  const fs::path scan = root / "sub-02" / "dwi" / "sub-02_dwi.nii";
  workspace.files().open({QString::fromStdString(scan.string())});
  ASSERT_TRUE(QTest::qWaitFor([&] { return workspace.files().pending() == 0; }, kWait));
  const LayerState before = layers.layers().front();
  workspace.view().setCrosshair({3, 1, 2});
  ASSERT_TRUE(open());
  EXPECT_EQ(names(), QStringList{"sub-02_dwi"});
  EXPECT_EQ(layers.layers().front().id, before.id);
  EXPECT_EQ(layers.layers().front().layer, before.layer) << "it is not read again";
  EXPECT_EQ(workspace.view().crosshair(), (Vec3<double>{3, 1, 2}));
}

TEST_F(StudyModelTest, NamesColumnsInWordsAndReportsOutlyingFigures) {
  std::string table = "participant_id\tfibers_status\tfibers_voxels_with_fibers\tfibers_seconds\n";
  for (const auto& [name, voxels] :
       {std::pair("01", 100), {"02", 101}, {"03", 99}, {"04", 102}, {"05", 98}, {"06", 900}})
    table += text("sub-", name, "\tdone\t", voxels, "\t", voxels, "\n");
  analyses.front().name = "fibers";
  io::writeFile(results / "participants.tsv", table, true);
  ASSERT_TRUE(open());
  constexpr int kVoxels = StudyModel::firstCell + 1, kSeconds = kVoxels + 1;
  EXPECT_EQ(study.headerData(kVoxels, Qt::Horizontal, Qt::DisplayRole), "voxels with fibers");
  for (int row = 0; row < study.rowCount(); ++row) {
    const QString who = cell(row, StudyModel::participant).data().toString();
    EXPECT_EQ(cell(row, kVoxels).data(StudyModel::farRole).toBool(), who == "sub-06") << who.toStdString();
    EXPECT_FALSE(cell(row, kSeconds).data(StudyModel::farRole).toBool()) << "how long it took says nothing";
    if (who == "sub-06") {
      EXPECT_EQ(cell(row, kVoxels).data(StudyModel::shareRole), 1.);
    }
    if (who == "sub-05") {
      EXPECT_EQ(cell(row, kVoxels).data(StudyModel::shareRole), 0.);
    }
    EXPECT_FALSE(cell(row, StudyModel::firstCell).data(StudyModel::shareRole).isValid()) << "no number";
  }
  EXPECT_TRUE(workspace.recent().paths().contains(QString::fromStdString(root.string())));
}

TEST_F(StudyModelTest, KeepsHowThingsAreLookedAt) {
  ASSERT_TRUE(open());
  study.step(1);
  ASSERT_TRUE(waitFor(1));
  EXPECT_EQ(names(), (QStringList{"sub-01_dwi", "sub-01_map"})) << "the map comes with who has one";
  const LayerId scan = layers.layers()[0].id, map = layers.layers()[1].id;
  Display display = layers.find(map)->display;
  display.range = Range{0.25, 0.5}, display.colormap = "viridis";
  layers.setDisplay(map, display);
  layers.setCurrent(scan);
  workspace.view().setCrosshair({1, 2, 3});
  workspace.view().setExtent(77);
  study.step(1);
  ASSERT_TRUE(waitFor(2));
  EXPECT_EQ(names(), (QStringList{"sub-03_dwi", "sub-03_map"}));
  EXPECT_EQ(layers.layers()[1].id, map);
  EXPECT_EQ(layers.find(map)->layer->source, (results / "sub-03/dwi/sub-03_map.nii").string());
  EXPECT_EQ(layers.find(map)->display, display);
  EXPECT_EQ(layers.current(), scan);
  EXPECT_EQ(workspace.view().crosshair(), (Vec3<double>{1, 2, 3}));
  // At a participant without a map.
  study.show(0);
  ASSERT_TRUE(waitFor(0));
  EXPECT_EQ(names(), QStringList{"sub-02_dwi"});
  study.show(1);
  ASSERT_TRUE(waitFor(1));
  ASSERT_EQ(names(), (QStringList{"sub-01_dwi", "sub-01_map"}));
  EXPECT_EQ(layers.layers()[1].display, display);
  EXPECT_EQ(workspace.view().crosshair(), (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(workspace.view().extent(), 77);
}

TEST_F(StudyModelTest, FramesTheFirstWhoCanBeSeen) {
  // The worst comes first, and none of its files can be opened.
  std::ofstream(root / "sub-02/dwi/sub-02_dwi.nii") << "no scan";
  ASSERT_TRUE(open());
  ASSERT_TRUE(layers.empty());
  workspace.view().setExtent(7777);
  study.step(1);
  ASSERT_TRUE(waitFor(1));
  EXPECT_LT(workspace.view().extent(), 100);
  const Grid* grid = gridOf(*layers.layers().front().layer);
  EXPECT_LT(norm(workspace.view().center() - grid->center()), 1e-6);
}

TEST_F(StudyModelTest, IsSeenAboveWhatWasOpen) {
  layers.add(std::make_shared<const Layer>(test::volumeLayer("mine", {4, 4, 4}, 1, 1)));
  workspace.view().setCrosshair({5000, 0, 0});
  ASSERT_TRUE(open());
  EXPECT_EQ(names(), (QStringList{"mine", "sub-02_dwi"}));
  EXPECT_EQ(layers.find(layers.current())->name, "sub-02_dwi");
  EXPECT_LT(workspace.view().crosshair().x, 100) << "where it lies";
  study.step(1);
  ASSERT_TRUE(waitFor(1));
  EXPECT_EQ(names(), (QStringList{"mine", "sub-01_dwi", "sub-01_map"}));
}

TEST_F(StudyModelTest, HidesWhatWasComputedOrPaintedOfWhoCameBefore) {
  ASSERT_TRUE(open());
  const auto add = [&](const char* name, Origin origin) {
    return layers.add(std::make_shared<const Layer>(test::volumeLayer(name, {4, 4, 4}, 1, 1)), origin);
  };
  const LayerId result = add("result", Origin::computed), painted = add("painted", Origin::given);
  layers.replaceContent(painted, layers.find(painted)->layer, true);
  study.step(1);
  ASSERT_TRUE(waitFor(1));
  EXPECT_FALSE(layers.find(result)->display.visible);
  EXPECT_FALSE(layers.find(painted)->display.visible);
  EXPECT_TRUE(study.summary().contains("results and drawings for sub-02 are hidden"));
  EXPECT_TRUE(layers.layers().front().display.visible);
}

TEST_F(StudyModelTest, CanBeAskedAgainForWhoWasCancelled) {
  ASSERT_TRUE(open());
  study.step(1);
  workspace.jobs().cancelAll();
  ASSERT_TRUE(QTest::qWaitFor([&] { return workspace.files().pending() == 0; }, kWait));
  if (study.current() == 0) study.show(1);  // it may have ended before
  EXPECT_TRUE(waitFor(1));
}

TEST_F(StudyModelTest, SaysThatFewAreNotJudged) {
  ASSERT_TRUE(open());
  study.step(1);
  ASSERT_TRUE(waitFor(1));
  EXPECT_TRUE(study.summary().contains("marked if there are at least 5 participants"))
      << study.summary().toStdString();
  EXPECT_EQ(cell(1, StudyModel::furthest).data(), "too few");
  EXPECT_TRUE(cell(1, StudyModel::furthest).data(Qt::ToolTipRole).toString().contains("at least 5"));
}

TEST_F(StudyModelTest, ShowsTheNextWhereAllWasRemoved) {
  ASSERT_TRUE(open());
  study.show(1);
  ASSERT_TRUE(waitFor(1));
  layers.clear();
  study.step(1);
  ASSERT_TRUE(waitFor(2));
  EXPECT_EQ(names(), (QStringList{"sub-03_dwi", "sub-03_map"}));
}

TEST_F(StudyModelTest, IsClosed) {
  ASSERT_TRUE(open());
  study.close();
  EXPECT_FALSE(study.isOpen());
  EXPECT_EQ(study.rowCount(), 0);
  EXPECT_EQ(study.columnCount(), 0);
  EXPECT_EQ(study.current(), -1);
  EXPECT_FALSE(study.canStep(1));
  ASSERT_TRUE(open());
  EXPECT_EQ(study.rowCount(), 3);
}

TEST_F(StudyModelTest, EndsAtBothEnds) {
  EXPECT_FALSE(study.canStep(1));
  ASSERT_TRUE(open());
  EXPECT_FALSE(study.canStep(-1));
  study.show(2);
  EXPECT_FALSE(study.canStep(1));
  ASSERT_TRUE(waitFor(2));
}

TEST_F(StudyModelTest, KeepsFlagsAndComments) {
  ASSERT_TRUE(open());
  study.setFlagged(true);
  EXPECT_TRUE(study.setData(cell(2, StudyModel::comment), "a little\nnoisy", Qt::EditRole));
  ASSERT_TRUE(QTest::qWaitFor([&] { return workspace.files().pending() == 0; }, kWait));
  const bids::Review review = bids::openReview(root, analyses);
  EXPECT_TRUE(review.subjects[0].flagged);
  EXPECT_EQ(review.subjects[2].comment, "a little noisy");
}

TEST_F(StudyModelTest, SaysWhatIsNotAStudy) {
  QSignalSpy failed(&workspace.files(), &jobs::FileJobs::failed);
  study.open(folder.filePath("nowhere"));
  ASSERT_TRUE(failed.wait(kWait));
  EXPECT_TRUE(failed[0][1].toString().contains("holds no study"));
  EXPECT_FALSE(study.isOpen());
  EXPECT_TRUE(StudyModel::isStudy(QString::fromStdString(root.string())));
  EXPECT_FALSE(StudyModel::isStudy(folder.filePath("nowhere")));
}

}  // namespace
}  // namespace sulcus::ui::model
