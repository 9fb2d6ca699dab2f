#include "core/bids/results/review.h"

#include "core/bids/results/write_run.h"
#include "core/io/files.h"
#include "tests/core/bids/study_analyses.h"
#include "tests/core/bids/study_folder.h"
#include "tests/support/expect_error.h"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
using test::StudyFolder;
using testing::ElementsAre;

/// Results of six participants: 03 failed, 05 is an outlier.
struct ReviewedStudy : testing::Test {
  const StudyFolder folder{{}};
  const fs::path results = folder.root() / "derivatives" / "sulcus";

  void SetUp() override {
    fs::create_directories(results);
    std::ofstream(results / "dataset_description.json")
        << R"({"DatasetLinks": {"raw": "file://)" << folder.root().string() << R"("}})";
    std::vector<Record> records;
    for (const auto& [subject, share] :
         {std::pair("01", 0.5), {"02", 0.51}, {"03", 0.0}, {"04", 0.52}, {"05", 9.0}, {"06", 0.53}}) {
      Record record;
      record.analysis = "fibers", record.subject = subject, record.run = std::string("sub-") + subject;
      record.done = record.subject != "03", record.problem = record.done ? "" : "it broke";
      record.key = "{}";
      if (record.done) {
        record.figures = {{"share", "", "A share", share}};
        const std::string stem = record.run + "/dwi/" + record.run;
        record.provenance.inputs = {{"dwi", "bids:raw:" + stem + "_dwi.nii.gz", ""}};
        record.files = {stem + "_a.nii.gz", stem + "_a.json", stem + "_b.nii.gz", stem + "_c.nii.gz"};
      }
      fs::create_directories(results / record.run / "dwi");
      io::writeFile(results / record.run / "dwi" / (record.run + "_desc-fibers_provenance.json"),
                    recordText(record));
      records.push_back(record);
    }
    io::writeFile(results / "participants.tsv", participantTable({}, records).tsv);
  }
  std::string notes() const {
    std::ifstream file(results / "review.tsv");
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(ReviewedStudy, HasTheWorstFirst) {
  const Review review = openReview(folder.root(), app::analyses::table());
  EXPECT_EQ(review.folder, results);
  ASSERT_EQ(review.subjects.size(), 6u);
  EXPECT_EQ(review.subjects[0].name, "sub-03");
  EXPECT_EQ(review.subjects[0].problem, "it broke");
  EXPECT_EQ(review.subjects[1].name, "sub-05");
  EXPECT_GT(review.subjects[1].furthest, 3.5);
  EXPECT_TRUE(review.judged);
  EXPECT_THAT(review.columns, ElementsAre("fibers_status", "fibers_runs", "fibers_share"));
  EXPECT_THAT(review.subjects[1].cells, ElementsAre("done", "1", "9"));
}

TEST_F(ReviewedStudy, ShowsTheScanAndTheFirstMaps) {
  const Review review = openReview(results, app::analyses::table());
  EXPECT_EQ(review.filesOf, "sub-01");
  const fs::path dwi = fs::path("sub-01") / "dwi";
  EXPECT_THAT(review.files,
              ElementsAre(folder.root() / dwi / "sub-01_dwi.nii.gz", results / dwi / "sub-01_a.nii.gz",
                          results / dwi / "sub-01_b.nii.gz"));
}

TEST_F(ReviewedStudy, ShowsTheMapsThatTheRunShows) {
  const fs::path dwi = fs::path("sub-01") / "dwi",
                 file = results / dwi / "sub-01_desc-fibers_provenance.json";
  Record record = openRecord(file);
  record.shown = {(dwi / "sub-01_c.nii.gz").string()};
  io::writeFile(file, recordText(record), true);
  EXPECT_THAT(openReview(results, app::analyses::table()).files,
              ElementsAre(folder.root() / dwi / "sub-01_dwi.nii.gz", results / dwi / "sub-01_c.nii.gz"));
}

TEST(FilesOfOthers, AreCalledAlike) {
  EXPECT_EQ(fileOf("/s/sub-1/dwi/sub-1_ses-sub-1.nii", "sub-1", "sub-22"),
            "/s/sub-22/dwi/sub-22_ses-sub-1.nii");
  EXPECT_EQ(fileOf("/s/sub-1/dwi/sub-1_dwi.nii", "sub-1", "sub-12"), "/s/sub-12/dwi/sub-12_dwi.nii");
  EXPECT_EQ(fileOf("/s/sub-12/sub-12.nii", "sub-1", "sub-2"), "/s/sub-12/sub-12.nii") << "another one";
  EXPECT_EQ(fileOf("/s/atlas.nii", "sub-1", "sub-2"), "/s/atlas.nii");
}

TEST_F(ReviewedStudy, KeepsFlagsAndCommentsAndWhatOthersWrote) {
  std::ofstream(results / "review.tsv") << "participant_id\trater\tflag\tcomment\nsub-02\tme\tno\tfine\n";
  Review review = openReview(results, app::analyses::table());
  ReviewedSubject worst = review.subjects[0];
  worst.flagged = true, worst.comment = "moved,\ttwice";
  saveReview(results, worst);
  EXPECT_EQ(notes(),
            "participant_id\trater\tflag\tcomment\nsub-02\tme\tno\tfine\nsub-03\tn/a\tyes\tmoved, twice\n");
  review = openReview(results, app::analyses::table());
  EXPECT_TRUE(review.subjects[0].flagged);
  EXPECT_EQ(review.subjects[0].comment, "moved, twice");
  worst = review.subjects[0], worst.flagged = false, worst.comment = "";
  saveReview(results, worst);
  EXPECT_EQ(notes(), "participant_id\trater\tflag\tcomment\nsub-02\tme\tno\tfine\nsub-03\tn/a\tno\tn/a\n");
}

TEST(RawStudy, HasItsParticipantsInTheirOrderAndAScanOfTheFirst) {
  const StudyFolder folder({"sub-02/anat/sub-02_T1w.nii.gz", "sub-02/anat/sub-02_FLAIR.nii.gz",
                            "sub-01/anat/sub-01_FLAIR.nii.gz", "sub-01/anat/sub-01_T1w.nii.gz"});
  folder.add("participants.tsv", "participant_id\tage\nsub-02\t40\n");
  Review review = openReview(folder.root(), app::analyses::table());
  ASSERT_EQ(review.subjects.size(), 2u);
  EXPECT_EQ(review.subjects[0].name, "sub-01");
  EXPECT_THAT(review.columns, ElementsAre("age"));
  EXPECT_THAT(review.subjects[0].cells, ElementsAre("n/a"));
  EXPECT_THAT(review.subjects[1].cells, ElementsAre("40"));
  EXPECT_EQ(review.filesOf, "sub-01");
  EXPECT_THAT(review.files, ElementsAre(folder.root() / "sub-01/anat/sub-01_T1w.nii.gz"));
  EXPECT_EQ(review.raw, folder.root());
  EXPECT_THAT(review.subjects[1].scans, ElementsAre(folder.root() / "sub-02/anat/sub-02_FLAIR.nii.gz",
                                                    folder.root() / "sub-02/anat/sub-02_T1w.nii.gz"));
  review.subjects[1].flagged = true;
  saveReview(review.folder, review.subjects[1]);
  EXPECT_TRUE(fs::exists(folder.root() / "derivatives/review.tsv")) << "raw data stay as they are";
  EXPECT_TRUE(openReview(folder.root(), app::analyses::table()).subjects[1].flagged);
}

TEST(FoldersWithoutStudy, AreRefused) {
  const StudyFolder folder({});
  test::expectError([&] { openReview(folder.root(), app::analyses::table()); }, {"holds no study"});
}

}  // namespace
}  // namespace sulcus::bids
