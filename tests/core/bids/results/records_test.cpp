#include "core/bids/results/records.h"

#include "core/bids/report/outliers.h"
#include "core/bids/results/write_run.h"
#include "core/bids/study_lock.h"
#include "tests/core/bids/study_analyses.h"
#include "tests/core/bids/study_folder.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
using test::StudyFolder;
using testing::HasSubstr;

Record recordFor(const std::string& subject, double value, bool done = true) {
  Record record;
  record.analysis = "fibers", record.subject = subject, record.run = "sub-" + subject;
  record.done = done, record.problem = done ? "" : "it broke", record.key = "{}";
  if (done) record.figures = {{"share", "", "A share", value}, {"seconds", "s", "Time", 1}};
  return record;
}

Job jobFor(const std::string& subject) {
  std::string fault;
  Job job;
  job.scan = parsedName("sub-" + subject + "_dwi.nii.gz", fault).value();
  job.folder = "sub-" + subject + "/dwi";
  return job;
}

TEST(BidsRecords, AreReadAsTheyWereWritten) {
  const StudyFolder folder({});
  Record record = recordFor("01", 0.25);
  record.figures.push_back({"unknown", "", "", NAN});
  record.provenance.backend = "cpu", record.provenance.parameters = {{"order", std::int64_t(8)}};
  record.provenance.inputs = {{"dwi", "bids:raw:sub-01/dwi/sub-01_dwi.nii.gz", "abc"}};
  record.notes = {"a note"}, record.files = {"sub-01/dwi/a.nii.gz"}, record.pictures = {{"p.png", "what"}};
  AgreementRow row;
  row.quantity = "angle", row.shareWithin = 0.5, row.shareNeeded = 0.9;
  record.agreement = {row};
  folder.add("r.json", recordText(record));
  const Record read = openRecord(folder.root() / "r.json");
  EXPECT_TRUE(read.done);
  EXPECT_EQ(read.subject, "01");
  EXPECT_EQ(read.key, "{}");
  ASSERT_EQ(read.figures.size(), 3u);
  EXPECT_EQ(read.figures[0].value, 0.25);
  EXPECT_TRUE(std::isnan(read.figures[2].value));
  EXPECT_EQ(read.provenance.parameters, record.provenance.parameters);
  EXPECT_EQ(read.provenance.inputs.at(0).sha256, "abc");
  EXPECT_EQ(read.pictures.at(0).caption, "what");
  EXPECT_FALSE(read.agreement.at(0).agrees());
  for (const char* text :
       {"[]", "{}", R"({"Analysis": 1})", R"({"Analysis": "a", "Run": "r", "Participant": "x"})"}) {
    folder.add("r.json", text);
    EXPECT_THAT(test::errorOf([&] { openRecord(folder.root() / "r.json"); }),
                HasSubstr("not a valid run record"))
        << text;
  }
}

TEST(BidsRecords, NameNothingOutsideTheResults) {
  const StudyFolder folder({});
  const auto text = [](const std::string& change) {
    return R"({"Status": "done", "Analysis": "fibers", "Run": "sub-01", "Participant": "sub-01", )" + change +
           "}";
  };
  folder.add("r.json", text(R"("Files": ["sub-01/dwi/a.nii.gz"], "Pictures": [{"File": "sub-01/a.png"}])"));
  EXPECT_EQ(openRecord(folder.root() / "r.json").files.size(), 1u);
  for (const char* change :
       {R"("Pictures": [{"File": "/etc/passwd"}])", R"("Pictures": [{"File": "sub-01/../../a.png"}])",
        R"("Files": ["../a.nii"])", R"("Shown": [""])", R"("Pictures": [{"Caption": "no file"}])"}) {
    folder.add("r.json", text(change));
    EXPECT_THAT(test::errorOf([&] { openRecord(folder.root() / "r.json"); }),
                HasSubstr("not a valid run record"))
        << change;
  }
  for (const char* start : {R"("Analysis": "fibers", "Participant": "sub-01/../../thesis")",
                            R"("Analysis": "fibers", "Participant": "sub-")",
                            R"("Analysis": "\"onload=x", "Participant": "sub-01")"}) {
    folder.add("r.json", R"({"Status": "done", "Run": "r", )" + std::string(start) + "}");
    EXPECT_THAT(test::errorOf([&] { openRecord(folder.root() / "r.json"); }),
                HasSubstr("not a valid run record"))
        << start;
  }
}

TEST(BidsRecords, OfAnotherProgramAreNotReplaced) {
  const auto refusal = [](const StudyFolder& folder) {
    return test::errorOf([&] { requireOwnResults(folder.root()); });
  };
  const StudyFolder folder({"sub-01/dwi/a.nii.gz", "README"});
  EXPECT_NO_THROW(requireOwnResults(folder.root())) << "nothing of it is replaced";
  EXPECT_NO_THROW(requireOwnResults(folder.root() / "nothing"));
  for (const char* file : {"participants.tsv", "participants.json", "sub-01.html", "group.html"}) {
    folder.add(file);
    EXPECT_THAT(refusal(folder), HasSubstr(file));
    fs::remove(folder.root() / file);
  }
  folder.add("group.html");
  folder.add("dataset_description.json", R"({"GeneratedBy": [{"Name": "fMRIPrep"}]})");
  EXPECT_THAT(refusal(folder), HasSubstr("another program"));
  folder.add("dataset_description.json", R"({"GeneratedBy": [{"Name": "Sulcus"}]})");
  EXPECT_NO_THROW(requireOwnResults(folder.root()));
}

TEST(BidsRecords, ARunIsDoneWhileNothingChanged) {
  const StudyFolder folder({"sub-01/dwi/a.nii.gz"});
  const Job job = jobFor("01");
  const auto key = [](const char* checksum, std::int64_t order) {
    return runKey("fibers", "cpu", {{"order", order}}, {{"dwi", "path", checksum}});
  };
  Record record = recordFor("01", 1);
  record.key = key("abc", 8), record.files = {"sub-01/dwi/a.nii.gz"};
  folder.add("sub-01/dwi/sub-01_desc-fibers_provenance.json", recordText(record));
  EXPECT_TRUE(isDone(job, "fibers", key("abc", 8), folder.root()));
  record.bytes = {2};
  folder.add("sub-01/dwi/sub-01_desc-fibers_provenance.json", recordText(record));
  EXPECT_FALSE(isDone(job, "fibers", key("abc", 8), folder.root())) << "its file is shorter than it was";
  record.bytes = {1};
  folder.add("sub-01/dwi/sub-01_desc-fibers_provenance.json", recordText(record));
  EXPECT_TRUE(isDone(job, "fibers", key("abc", 8), folder.root()));
  EXPECT_FALSE(isDone(job, "fibers", key("abd", 8), folder.root())) << "another file";
  EXPECT_FALSE(isDone(job, "fibers", key("abc", 6), folder.root())) << "another parameter";
  const auto part = [&](const io::ResultChoice& choice) {
    return runKey("fibers", "cpu", {{"order", std::int64_t(8)}}, {{"dwi", "path", "abc"}}, choice);
  };
  EXPECT_TRUE(isDone(job, "fibers", part({}), folder.root()));
  EXPECT_FALSE(isDone(job, "fibers", part({{"peaks"}, true}), folder.root())) << "other files are wanted";
  EXPECT_FALSE(isDone(job, "fibers", part({{}, false}), folder.root())) << "in another form";
  EXPECT_FALSE(isDone(job, "surface", key("abc", 8), folder.root()));
  EXPECT_FALSE(isDone(jobFor("02"), "fibers", key("abc", 8), folder.root()));
  fs::remove(folder.root() / "sub-01/dwi/a.nii.gz");
  EXPECT_FALSE(isDone(job, "fibers", key("abc", 8), folder.root())) << "a result is gone";
  folder.add("sub-01/dwi/sub-01_desc-fibers_provenance.json", "{");
  EXPECT_FALSE(isDone(job, "fibers", key("abc", 8), folder.root())) << "damaged";
}

TEST(BidsRecords, AreWrittenThroughNoLinkOutOfTheResults) {
  const StudyFolder folder({"elsewhere/mine", "out/own/x"});
  const fs::path out = folder.root() / "out";
  for (const char* name : {"logs", "sub-01"})
    fs::create_directory_symlink(folder.root() / "elsewhere", out / name);
  const Job job = jobFor("01");
  Finished run;
  run.analysis = &test::analysisNamed("fibers");
  EXPECT_THAT(test::errorOf([&] { writeRun(job, run, {}, out, {}); }), HasSubstr("is a link to outside"));
  EXPECT_THAT(test::errorOf([&] { writeFailure(job, "fibers", "it broke", out); }),
              HasSubstr("is a link to outside"));
  EXPECT_THAT(test::errorOf([&] { StudyLock(out, "a"); }), HasSubstr("is a link to outside"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.root() / "elsewhere"), {}), 1);
  fs::remove(out / "logs");
  fs::create_directory_symlink("own", out / "logs");
  writeFailure(job, "fibers", "it broke", out);
  EXPECT_TRUE(fs::exists(failurePath(out, "fibers", job))) << "a link within them is followed";
}

TEST(BidsRecords, FailuresStandForRunsThatFailedLast) {
  const StudyFolder folder({});
  folder.add("sub-01/dwi/sub-01_desc-fibers_provenance.json", recordText(recordFor("01", 1)));
  folder.add("sub-02/dwi/sub-02_desc-fibers_provenance.json", recordText(recordFor("02", 2)));
  folder.add("sub-02/dwi/sub-02_desc-surface_provenance.json", "damaged");
  folder.add("sub-03/.part-0-1-dwi/new/sub-03_desc-fibers_provenance.json", recordText(recordFor("03", 3)));
  writeFailure(jobFor("01"), "fibers", "it broke", folder.root());
  Notes notes;
  const auto records = openRecords(folder.root(), notes);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_FALSE(records[0].done);
  EXPECT_EQ(records[0].problem, "it broke");
  EXPECT_TRUE(records[1].done);
  EXPECT_EQ(notes.size(), 1u) << "what another process writes just now is not there yet";
}

TEST(BidsRecords, ParticipantsHaveOneRowEach) {
  auto records = std::vector{recordFor("01", 1), recordFor("01", 3), recordFor("02", 5),
                             recordFor("02", 0, false), recordFor("03", 0, false)};
  const auto table = participantTable({"01", "02", "03", "04"}, records);
  EXPECT_THAT(table.tsv,
              HasSubstr("participant_id\tfibers_status\tfibers_runs\tfibers_share\tfibers_seconds\n"));
  EXPECT_THAT(table.tsv, HasSubstr("sub-01\tdone\t2\t2\t1\n"));
  EXPECT_THAT(table.tsv, HasSubstr("sub-02\tpartly failed\t2\t5\t1\n"));
  EXPECT_THAT(table.tsv, HasSubstr("sub-03\tfailed\t1\tn/a\tn/a\n"));
  EXPECT_THAT(table.tsv, HasSubstr("sub-04\tn/a\t0\tn/a\tn/a\n"));
  EXPECT_THAT(table.json, HasSubstr("fibers_share"));
}

TEST(BidsOutliers, LieFarFromTheMedian) {
  // Median 3, distances 2 1 0 1 97: MAD 1.
  const auto z = robustZ({1, 2, 3, 4, 100});
  EXPECT_NEAR(z[0], -2 * 0.6745, 1e-12);
  EXPECT_NEAR(z[4], 97 * 0.6745, 1e-12);
  EXPECT_EQ(robustZ({1, 2, 3, 100}), std::vector<double>(4, 0)) << "too few to tell";
  EXPECT_EQ(robustZ({2, 2, 2, 2, 2}), std::vector<double>(5, 0));
  const auto mostlyEqual = robustZ({0, 0, 0, 0, 5});
  EXPECT_NEAR(mostlyEqual[4], 5 / 1.2533, 1e-9) << "MAD is 0, the mean distance 1";
  const auto even = robustZ({1, 2, 3, 4, 5, 6});
  EXPECT_NEAR(even[5], 0.6745 * 2.5 / 1.5, 1e-12);
  const auto unknown = robustZ({1, 2, NAN, 3, 4, 5});
  EXPECT_TRUE(std::isnan(unknown[2]));
  EXPECT_NEAR(unknown[0], -0.6745 * 2, 1e-12);
}

TEST(BidsOutliers, TheWorstRunsComeFirst) {
  std::vector<Record> records;
  for (int i = 1; i <= 6; ++i) records.push_back(recordFor(std::to_string(i), i == 4 ? 50 : 1 + 0.1 * i));
  records.push_back(recordFor("7", 0, false));
  records[1].figures[1].value = 1000;  // a slow run is not an outlier
  const auto table = runTable(records, "fibers");
  ASSERT_EQ(table.rows.size(), 7u);
  EXPECT_EQ(table.rows[0].record->subject, "7") << "failed";
  EXPECT_EQ(table.rows[1].record->subject, "4");
  EXPECT_TRUE(table.rows[1].outlier());
  EXPECT_FALSE(table.rows[2].outlier());
  EXPECT_THAT(runTableText(table), HasSubstr("sub-4\tsub-4\tdone\t1\t50\t"));
}

}  // namespace
}  // namespace sulcus::bids
