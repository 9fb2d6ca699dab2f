#include "core/bids/jobs.h"

#include "core/bids/companions.h"
#include "tests/core/bids/study_analyses.h"
#include "tests/core/bids/study_folder.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// The jobs found in a folder tree; no image is opened.
namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
using test::analysisNamed;
using test::expectError;
using test::StudyFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

Jobs jobsOf(const StudyFolder& study, Demand demand) {
  return findJobs(openStudy(study.root(), true), demand);
}
Jobs jobsOf(const StudyFolder& study, const std::string& analysis) {
  Demand demand;
  demand.analysis = &analysisNamed(analysis);
  return jobsOf(study, demand);
}

std::string inputOf(const Job& job, const StudyFolder& study, const std::string& slot) {
  const auto found = job.inputs.find(slot);
  return found == job.inputs.end() || found->second.empty()
             ? ""
             : fs::relative(found->second.front(), fs::canonical(study.root())).string();
}

TEST(BidsJobs, FindsDiffusionSeriesWithInheritedGradients) {
  const StudyFolder study({"sub-02/ses-1/dwi/sub-02_ses-1_dwi.nii.gz", "sub-01/dwi/sub-01_dwi.nii",
                           "dwi.bval", "dwi.bvec", "sub-02/ses-1/dwi/sub-02_ses-1_dwi.bval",
                           "sub-01/anat/sub-01_T1w.nii.gz"});
  const auto found = jobsOf(study, "fibers");
  ASSERT_EQ(found.jobs.size(), 2u);
  EXPECT_EQ(found.jobs[0].subject(), "01");
  EXPECT_EQ(inputOf(found.jobs[0], study, "dwi"), "sub-01/dwi/sub-01_dwi.nii");
  EXPECT_EQ(found.jobs[0].folder, "sub-01/dwi");
  EXPECT_EQ(found.jobs[1].folder, "sub-02/ses-1/dwi");
  EXPECT_EQ(found.jobs[1].source().stem(), "sub-02_ses-1");
  ASSERT_EQ(found.jobs[1].gradients.size(), 2u);
  EXPECT_EQ(found.jobs[1].gradients[0].filename(), "sub-02_ses-1_dwi.bval") << "the nearest";
  EXPECT_EQ(found.jobs[1].gradients[1].filename(), "dwi.bvec");
  EXPECT_EQ(found.jobs[1].problem, "");
}

TEST(BidsJobs, PrefersWhatQsiprepMade) {
  const StudyFolder study(
      {"sub-01/dwi/sub-01_dwi.nii.gz", "sub-01/dwi/sub-01_dwi.bval", "sub-01/dwi/sub-01_dwi.bvec"});
  const std::string made = "derivatives/qsiprep/sub-01/dwi/sub-01_space-T1w_desc-";
  for (const char* name : {"preproc_dwi.nii.gz", "preproc_dwi.bval", "preproc_dwi.bvec", "brain_mask.nii.gz"})
    study.add(made + name);
  EXPECT_EQ(inputOf(jobsOf(study, "fibers").jobs.at(0), study, "dwi"), "sub-01/dwi/sub-01_dwi.nii.gz")
      << "a folder without a description is no data set";
  study.add("derivatives/qsiprep/dataset_description.json",
            R"({"Name": "q", "BIDSVersion": "1.9.0", "DatasetType": "derivative"})");
  const auto found = jobsOf(study, "fibers");
  ASSERT_EQ(found.jobs.size(), 1u);
  EXPECT_EQ(inputOf(found.jobs[0], study, "dwi"), made + "preproc_dwi.nii.gz");
  EXPECT_EQ(inputOf(found.jobs[0], study, "mask"), made + "brain_mask.nii.gz");
  EXPECT_EQ(found.jobs[0].source().stem(), "sub-01_space-T1w");
  ASSERT_EQ(found.jobs[0].notes.size(), 1u) << "says which of two is used";
  Demand raw;
  raw.analysis = &analysisNamed("fibers"), raw.filter = {{"desc", {""}}};
  EXPECT_EQ(inputOf(jobsOf(study, raw).jobs.at(0), study, "dwi"), "sub-01/dwi/sub-01_dwi.nii.gz");
}

TEST(BidsJobs, FindsWhatFmriprepMadeAndTheEventsOfTheRawData) {
  const StudyFolder study({"sub-01/func/sub-01_task-a_run-1_bold.nii.gz", "task-a_events.tsv",
                           "sub-01/func/sub-01_task-a_run-1_events.tsv"});
  study.add("task-a_bold.json", R"({"RepetitionTime": 2.5, "EchoTime": 0.03})");
  study.add("sub-01/func/sub-01_task-a_run-1_bold.json", R"({"EchoTime": 0.04})");
  const std::string made = "derivatives/fmriprep/sub-01/func/sub-01_task-a_run-1_";
  study.add("derivatives/fmriprep/dataset_description.json",
            R"({"Name": "f", "BIDSVersion": "1.9.0", "DatasetType": "derivative"})");
  for (const char* name :
       {"space-T1w_desc-preproc_bold.nii.gz", "space-MNI152NLin2009cAsym_desc-preproc_bold.nii.gz",
        "space-T1w_desc-brain_mask.nii.gz", "space-MNI152NLin2009cAsym_desc-brain_mask.nii.gz",
        "desc-confounds_timeseries.tsv"})
    study.add(made + name);
  const auto found = jobsOf(study, "activation");
  ASSERT_EQ(found.jobs.size(), 1u);
  const Job& job = found.jobs[0];
  EXPECT_EQ(job.problem, "");
  EXPECT_EQ(inputOf(job, study, "bold"), made + "space-MNI152NLin2009cAsym_desc-preproc_bold.nii.gz");
  EXPECT_EQ(inputOf(job, study, "mask"), made + "space-MNI152NLin2009cAsym_desc-brain_mask.nii.gz");
  EXPECT_EQ(inputOf(job, study, "confounds"), made + "desc-confounds_timeseries.tsv");
  EXPECT_EQ(inputOf(job, study, "events"), "sub-01/func/sub-01_task-a_run-1_events.tsv");
  EXPECT_EQ(job.secondsPerVolume, 2.5) << "a key that the nearest sidecar lacks is inherited";

  Demand inT1w;
  inT1w.analysis = &analysisNamed("activation"), inT1w.filter = {{"space", {"T1w"}}};
  EXPECT_EQ(inputOf(jobsOf(study, inT1w).jobs.at(0), study, "mask"),
            made + "space-T1w_desc-brain_mask.nii.gz");

  // The derivatives themselves may be given as the study: the raw data are above them.
  const auto direct = findJobs(openStudy(study.root() / "derivatives" / "fmriprep", true),
                               {&analysisNamed("activation"), {}, {}, "", {}});
  EXPECT_EQ(direct.jobs.at(0).problem, "");
  EXPECT_EQ(direct.jobs.at(0).secondsPerVolume, 2.5);
}

TEST(BidsJobs, FindsFieldMapScansThatAreMeantForAScan) {
  const StudyFolder study({"sub-01/func/sub-01_task-a_bold.nii.gz", "sub-01/func/sub-01_task-b_bold.nii.gz",
                           "task-a_events.tsv", "task-b_events.tsv", "sub-01/fmap/sub-01_dir-PA_epi.nii.gz",
                           "sub-01/fmap/sub-01_dir-AP_epi.nii.gz", "sub-01/fmap/sub-01_fieldmap.nii.gz",
                           "sub-01/fmap/sub-01_magnitude.nii.gz", "sub-02/fmap/sub-02_dir-PA_epi.nii.gz"});
  study.add("task-a_bold.json", R"({"RepetitionTime": 2})");
  study.add("sub-01/func/sub-01_task-b_bold.json", R"({"RepetitionTime": 2, "B0FieldSource": "map"})");
  study.add("sub-01/fmap/sub-01_dir-PA_epi.json", R"({"IntendedFor": ["func/sub-01_task-a_bold.nii.gz"]})");
  study.add("sub-01/fmap/sub-01_dir-AP_epi.json",
            R"({"IntendedFor": "bids::sub-01/func/sub-01_task-a_bold.nii.gz"})");
  study.add("sub-01/fmap/sub-01_fieldmap.json",
            R"({"B0FieldIdentifier": "map", "IntendedFor": "func/sub-01_task-a_bold.nii.gz"})");
  study.add("sub-02/fmap/sub-02_dir-PA_epi.json", R"({"IntendedFor": "func/sub-01_task-a_bold.nii.gz"})");
  const auto found = jobsOf(study, "activation");
  ASSERT_EQ(found.jobs.size(), 2u);
  const auto fieldMaps = [&](const Job& job) {
    std::vector<std::string> names;
    for (const auto& file : job.inputs.at("fieldmap")) names.push_back(file.filename().string());
    return names;
  };
  EXPECT_THAT(
      fieldMaps(found.jobs[0]),
      UnorderedElementsAre("sub-01_dir-PA_epi.nii.gz", "sub-01_dir-AP_epi.nii.gz", "sub-01_fieldmap.nii.gz"));
  EXPECT_THAT(fieldMaps(found.jobs[1]), ElementsAre("sub-01_fieldmap.nii.gz")) << "by its B0FieldSource";
  const auto isFor = [&](const char* map, const char* scan) {
    return isFieldMapOf(study.root() / map, study.root() / scan);
  };
  const char *const a = "sub-01/func/sub-01_task-a_bold.nii.gz", *const b =
                                                                     "sub-01/func/sub-01_task-b_bold.nii.gz";
  EXPECT_TRUE(isFor("sub-01/fmap/sub-01_dir-PA_epi.nii.gz", a));
  EXPECT_FALSE(isFor("sub-01/fmap/sub-01_dir-PA_epi.nii.gz", b));
  EXPECT_TRUE(isFor("sub-01/fmap/sub-01_fieldmap.nii.gz", b));
  EXPECT_FALSE(isFor("sub-01/fmap/sub-01_magnitude.nii.gz", a));
  EXPECT_FALSE(isFor("sub-02/fmap/sub-02_dir-PA_epi.nii.gz", a)) << "another participant";
  EXPECT_FALSE(isFor(a, a));
}

TEST(BidsJobs, TakesTheOwnT1WhereNothingElseShowsTheFieldAndTheSidecarSaysHowTheScanWasEncoded) {
  const StudyFolder study(
      {"sub-01/ses-1/anat/sub-01_ses-1_T1w.nii.gz", "sub-01/ses-2/anat/sub-01_ses-2_T1w.nii.gz",
       "sub-01/ses-2/anat/sub-01_ses-2_part-phase_T1w.nii.gz",
       "sub-01/ses-2/func/sub-01_ses-2_task-a_bold.nii.gz",
       "sub-01/ses-2/func/sub-01_ses-2_task-b_bold.nii.gz",
       "sub-01/ses-2/func/sub-01_ses-2_task-c_bold.nii.gz", "sub-01/ses-2/fmap/sub-01_ses-2_fieldmap.nii.gz",
       "task-a_events.tsv", "task-b_events.tsv", "task-c_events.tsv", "sub-02/anat/sub-02_T1w.nii.gz"});
  const char* const encoded =
      R"({"RepetitionTime": 2, "PhaseEncodingDirection": "j-", "EffectiveEchoSpacing": 0.0005})";
  study.add("task-a_bold.json", encoded);
  study.add("task-b_bold.json", encoded);
  study.add("task-c_bold.json", R"({"RepetitionTime": 2, "PhaseEncodingDirection": "j-"})");
  study.add("sub-01/ses-2/fmap/sub-01_ses-2_fieldmap.json",
            R"({"IntendedFor": "ses-2/func/sub-01_ses-2_task-b_bold.nii.gz"})");
  const auto found = jobsOf(study, "activation");
  ASSERT_EQ(found.jobs.size(), 3u);
  EXPECT_EQ(inputOf(found.jobs[0], study, "t1"), "sub-01/ses-2/anat/sub-01_ses-2_T1w.nii.gz");
  EXPECT_THAT(found.jobs[0].notes, ElementsAre(HasSubstr("by the own T1 scan, 'sub-01_ses-2_T1w.nii.gz'")));
  EXPECT_FALSE(found.jobs[1].inputs.contains("t1")) << "there is a field map";
  EXPECT_THAT(found.jobs[1].notes, testing::IsEmpty());
  EXPECT_FALSE(found.jobs[2].inputs.contains("t1"));
  EXPECT_THAT(found.jobs[2].notes,
              ElementsAre(HasSubstr("does not say PhaseEncodingDirection and TotalReadoutTime")));
}

TEST(BidsJobs, SaysWhatIsMissing) {
  const StudyFolder study({"sub-01/func/sub-01_task-a_bold.nii.gz",
                           "sub-01/func/sub-01_task-rest_bold.nii.gz", "sub-01/dwi/sub-01_dwi.nii.gz",
                           "sub-02/anat/sub-02_T1w.nii.gz"});
  const auto active = jobsOf(study, "activation");
  ASSERT_EQ(active.jobs.size(), 1u) << "rest needs no events";
  EXPECT_THAT(active.jobs[0].problem.line(), HasSubstr("has no events.tsv"));
  EXPECT_THAT(active.notes, testing::Contains(HasSubstr("sub-02 has no scan for activation")));
  EXPECT_THAT(jobsOf(study, "fibers").jobs.at(0).problem.line(), HasSubstr("has no bval file"));
}

TEST(BidsJobs, SaysWhenTwoFilesFit) {
  const StudyFolder study(
      {"sub-01/func/sub-01_task-a_bold.nii.gz", "sub-01/func/sub-01_task-a_bold.nii", "task-a_events.tsv"});
  EXPECT_THAT(jobsOf(study, "activation").jobs.at(0).problem.line(), HasSubstr("both match"));
  const StudyFolder events(
      {"sub-01/func/sub-01_task-a_run-1_bold.nii.gz", "task-a_events.tsv", "run-1_events.tsv"});
  EXPECT_THAT(jobsOf(events, "activation").jobs.at(0).problem.line(), HasSubstr("which are the events"));
}

TEST(BidsJobs, SkipsInvalidNames) {
  const StudyFolder study({"sub-01/dwi/sub-01_run-1_run-2_dwi.nii.gz", "sub-01/dwi/sub-02_dwi.nii.gz",
                           "sub-01/dwi/sub-01_dwi.nii.gz", "dwi.bval", "dwi.bvec"});
  const auto found = jobsOf(study, "fibers");
  EXPECT_EQ(found.jobs.size(), 1u);
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("the entity 'run' twice")));
  EXPECT_THAT(found.notes, testing::Contains(HasSubstr("its folder is that of sub-01")));
}

TEST(BidsJobs, SaysThatALinkIsBroken) {
  const StudyFolder study({"dwi.bval", "dwi.bvec", "sub-01/dwi/README"});
  fs::create_symlink("../../.git/annex/no", study.root() / "sub-01/dwi/sub-01_dwi.nii.gz");
  EXPECT_THAT(jobsOf(study, "fibers").jobs.at(0).problem.line(), HasSubstr("datalad get"));
}

TEST(BidsJobs, RegistersOntoTheReferenceOrTheFirstSession) {
  const StudyFolder study({"sub-01/ses-a/anat/sub-01_ses-a_T1w.nii.gz",
                           "sub-01/ses-b/anat/sub-01_ses-b_T1w.nii.gz", "sub-02/anat/sub-02_T1w.nii.gz"});
  Demand demand;
  demand.analysis = &analysisNamed("registration"), demand.reference = "/x/tpl-MNI_T1w.nii.gz";
  const auto onto = jobsOf(study, demand);
  ASSERT_EQ(onto.jobs.size(), 3u);
  EXPECT_EQ(onto.jobs[0].reference, "MNI");
  const auto within = jobsOf(study, "registration");
  ASSERT_EQ(within.jobs.size(), 1u);
  EXPECT_EQ(inputOf(within.jobs[0], study, "template"), "sub-01/ses-b/anat/sub-01_ses-b_T1w.nii.gz");
  EXPECT_EQ(inputOf(within.jobs[0], study, "reference"), "sub-01/ses-a/anat/sub-01_ses-a_T1w.nii.gz");
  EXPECT_EQ(within.jobs[0].reference, "sesA");
  EXPECT_THAT(within.notes, testing::Contains(HasSubstr("sub-02 has one session only")));
}

TEST(BidsJobs, TakesSessionsByTheirNumber) {
  const StudyFolder study({"sub-01/ses-1/anat/sub-01_ses-1_run-1_T1w.nii.gz",
                           "sub-01/ses-2/anat/sub-01_ses-2_run-1_T1w.nii.gz",
                           "sub-01/ses-10/anat/sub-01_ses-10_run-1_T1w.nii.gz"});
  const auto found = jobsOf(study, "registration");
  ASSERT_EQ(found.jobs.size(), 2u);
  for (const Job& job : found.jobs) EXPECT_EQ(job.reference, "ses1");
}

TEST(BidsJobs, SkipsRestOnlyWithoutEvents) {
  const StudyFolder study({"sub-01/func/sub-01_task-rest_bold.nii.gz",
                           "sub-01/func/sub-01_task-rest_bold.nii", "sub-01/func/sub-01_task-rest_events.tsv",
                           "sub-02/func/sub-02_task-rest_bold.nii.gz",
                           "sub-02/func/sub-02_task-rest_bold.nii"});
  const auto found = jobsOf(study, "activation");
  ASSERT_EQ(found.jobs.size(), 1u);
  EXPECT_EQ(found.jobs[0].subject(), "01");
  EXPECT_THAT(found.jobs[0].problem.line(), HasSubstr("both match"));
}

TEST(BidsJobs, FindsWhiteMatterForSurfaces) {
  const StudyFolder study(
      {"sub-01/anat/sub-01_label-WM_probseg.nii.gz", "sub-01/anat/sub-01_label-GM_probseg.nii.gz",
       "sub-02/anat/sub-02_label-WM_mask.nii.gz", "sub-03/anat/sub-03_desc-brain_mask.nii.gz"});
  const auto found = jobsOf(study, "surface");
  ASSERT_EQ(found.jobs.size(), 2u);
  EXPECT_EQ(inputOf(found.jobs[0], study, "image"), "sub-01/anat/sub-01_label-WM_probseg.nii.gz");
  EXPECT_EQ(inputOf(found.jobs[1], study, "mask"), "sub-02/anat/sub-02_label-WM_mask.nii.gz");
  Demand brains;
  brains.analysis = &analysisNamed("surface"), brains.filter = {{"desc", {"brain"}}};
  EXPECT_EQ(inputOf(jobsOf(study, brains).jobs.at(0), study, "mask"),
            "sub-03/anat/sub-03_desc-brain_mask.nii.gz");
}

TEST(BidsJobs, FindsTheLesionOfATemplate) {
  const StudyFolder study({"sub-01/anat/sub-01_T1w.nii.gz", "sub-01/anat/sub-01_label-lesion_mask.nii.gz",
                           "sub-02/anat/sub-02_T1w.nii.gz", "sub-02/anat/sub-02_label-lesion_roi.nii.gz",
                           "sub-03/anat/sub-03_T1w.nii.gz", "sub-03/anat/sub-03_desc-brain_mask.nii.gz"});
  Demand demand;
  demand.analysis = &analysisNamed("registration"), demand.reference = "tpl-atlas_T1w.nii.gz";
  const auto found = jobsOf(study, demand);
  ASSERT_EQ(found.jobs.size(), 3u);
  EXPECT_EQ(inputOf(found.jobs[0], study, "lesion"), "sub-01/anat/sub-01_label-lesion_mask.nii.gz");
  EXPECT_EQ(inputOf(found.jobs[1], study, "lesion"), "sub-02/anat/sub-02_label-lesion_roi.nii.gz");
  EXPECT_EQ(found.jobs[2].inputs.count("lesion"), 0U);
}

TEST(BidsJobs, ReportsForWhichAnalysesAStudyHasScans) {
  const auto analyses = [](const StudyFolder& study) {
    return analysesWithScans(openStudy(study.root(), true), app::analyses::table());
  };
  const StudyFolder one({"sub-01/anat/sub-01_T1w.nii.gz", "sub-02/anat/sub-02_T1w.nii.gz"});
  EXPECT_THAT(analyses(one), ElementsAre()) << "one session has nothing to be registered onto";
  one.add("sub-02/dwi/sub-02_dwi.nii.gz");
  EXPECT_THAT(analyses(one), ElementsAre("fibers"));
  const StudyFolder two({"sub-01/ses-1/anat/sub-01_ses-1_T1w.nii.gz",
                         "sub-01/ses-2/anat/sub-01_ses-2_T1w.nii.gz",
                         "sub-01/ses-1/func/sub-01_ses-1_task-x_bold.nii.gz"});
  EXPECT_THAT(analyses(two), ElementsAre("activation", "registration"));
}

TEST(BidsJobs, TakesOnlyWhatIsSelected) {
  const StudyFolder study({"dwi.bval", "dwi.bvec", "sub-01/dwi/sub-01_run-01_dwi.nii.gz",
                           "sub-01/dwi/sub-01_run-02_dwi.nii.gz", "sub-02/dwi/sub-02_run-01_dwi.nii.gz"});
  Demand demand;
  demand.analysis = &analysisNamed("fibers");
  demand.selection.subjects = {"sub-01"}, demand.selection.runs = {"2"};
  ASSERT_EQ(jobsOf(study, demand).jobs.size(), 1u);
  EXPECT_EQ(jobsOf(study, demand).jobs[0].scan.label("run"), "02");
  demand.selection.subjects = {"03"};
  expectError([&] { jobsOf(study, demand); }, {"no participant '03'", "01, 02"}, ErrorKind::usage);
  demand.selection = {{}, {}, {}, {"9"}};
  expectError([&] { jobsOf(study, demand); }, {"nothing to do"});
}

TEST(BidsJobs, RefusesFoldersThatAreNotAStudy) {
  expectError([] { openStudy("/no/such", true); }, {"is not a folder"});
  const StudyFolder empty({});
  expectError([&] { openStudy(empty.root(), true); }, {"has no subjects"});
  const StudyFolder study({"sub-01/dwi/sub-01_dwi.nii.gz"});
  study.add("dataset_description.json", R"({"Name": "x"})");
  expectError([&] { openStudy(study.root(), true); }, {"BIDSVersion", "--skip-bids-validation"});
  fs::remove(study.root() / "dataset_description.json");
  expectError([&] { openStudy(study.root(), true); }, {"dataset_description.json"});
  EXPECT_EQ(openStudy(study.root(), false).front().subjects, std::vector<std::string>{"01"});
}

TEST(BidsJobs, ReadsFilters) {
  const StudyFolder study({});
  study.add("f.json", R"({"bold": {"acquisition": ["a", "b"], "space": null}, "fmap": {"x": 1}})");
  const auto filters = openFilters(study.root() / "f.json", app::analyses::table());
  EXPECT_THAT(filters.at("bold").at("acq"), ElementsAre("a", "b"));
  EXPECT_THAT(filters.at("bold").at("space"), ElementsAre(""));
  for (const char* text : {"[]", R"({"bolt": {}})", R"({"bold": 1})", R"({"bold": {"colour": "x"}})",
                           R"({"bold": {"run": {}}})", R"({"bold": {"run": []}})", "{"}) {
    study.add("f.json", text);
    EXPECT_NE(test::errorOf([&] { openFilters(study.root() / "f.json", app::analyses::table()); }), "")
        << text;
  }
}

TEST(BidsJobs, JoinsTheRunsOfATaskWhenAsked) {
  std::vector<std::string> files{"sub-01/func/sub-01_task-rest_bold.nii.gz",
                                 "sub-02/func/sub-02_task-a_bold.nii.gz",
                                 "sub-02/func/sub-02_task-a_events.tsv"};
  for (const char* run : {"1", "2", "10"})
    for (const char* rest : {"_bold.nii.gz", "_events.tsv"})
      files.push_back(std::string("sub-01/func/sub-01_task-a_run-") + run + rest);
  const StudyFolder study(files);
  EXPECT_EQ(jobsOf(study, "activation").jobs.size(), 4u) << "each by itself";
  Demand demand;
  demand.analysis = &analysisNamed("activation"), demand.joinRuns = true;
  const auto found = jobsOf(study, demand);
  ASSERT_EQ(found.jobs.size(), 2u);
  const Job& joined = found.jobs[0];
  EXPECT_EQ(joined.problem, "");
  EXPECT_EQ(joined.source().stem(), "sub-01_task-a");
  ASSERT_EQ(joined.inputs.at("bold").size(), 3u);
  EXPECT_EQ(joined.inputs.at("bold")[2].filename(), "sub-01_task-a_run-10_bold.nii.gz") << "by number";
  EXPECT_EQ(joined.inputs.at("events")[1].filename(), "sub-01_task-a_run-2_events.tsv");
  EXPECT_EQ(joined.notes.back(), "Runs 1, 2 and 10 are analyzed in one model.");
  EXPECT_EQ(found.jobs[1].source().stem(), "sub-02_task-a") << "one run needs no joining";
}

TEST(BidsJobs, DoNotJoinRunsWithAndWithoutConfounds) {
  const StudyFolder study({});
  study.add("derivatives/fmriprep/dataset_description.json",
            R"({"Name": "f", "BIDSVersion": "1.9.0", "DatasetType": "derivative"})");
  const std::string made = "derivatives/fmriprep/sub-01/func/sub-01_task-a_run-";
  for (const char* run : {"1", "2"}) {
    study.add(made + run + "_desc-preproc_bold.nii.gz");
    study.add(std::string("sub-01/func/sub-01_task-a_run-") + run + "_bold.nii.gz");
    study.add(std::string("sub-01/func/sub-01_task-a_run-") + run + "_events.tsv");
  }
  study.add(made + "1_desc-confounds_timeseries.tsv");
  Demand demand;
  demand.analysis = &analysisNamed("activation"), demand.joinRuns = true;
  const auto found = jobsOf(study, demand);
  ASSERT_EQ(found.jobs.size(), 1u);
  EXPECT_THAT(found.jobs[0].problem.line(), HasSubstr("have confounds and others have none"));
}

TEST(BidsJobs, DoNotJoinRunsOfDifferentRepetitionTimes) {
  const StudyFolder study({});
  for (const char* run : {"1", "2"})
    for (const char* rest : {"_bold.nii.gz", "_events.tsv"})
      study.add(std::string("sub-01/func/sub-01_task-a_run-") + run + rest);
  study.add("sub-01/func/sub-01_task-a_run-1_bold.json", R"({"RepetitionTime": 2})");
  study.add("sub-01/func/sub-01_task-a_run-2_bold.json", R"({"RepetitionTime": 0.8})");
  Demand demand;
  demand.analysis = &analysisNamed("activation"), demand.joinRuns = true;
  const auto found = jobsOf(study, demand);
  ASSERT_EQ(found.jobs.size(), 1u);
  EXPECT_THAT(found.jobs[0].problem.line(), HasSubstr("do not all state the same repetition time"));
  EXPECT_EQ(found.jobs[0].sidecars.size(), 2u) << "which a run depends on";
}

}  // namespace
}  // namespace sulcus::bids
