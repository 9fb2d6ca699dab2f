#include "core/bids/results/outputs.h"

#include "tests/core/bids/study_analyses.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::bids {
namespace {

using test::analysisNamed;

Job scanJob(const std::string& file, const std::string& reference = "") {
  std::string fault;
  Job job;
  job.scan = parsedName(file, fault).value();
  job.reference = reference;
  return job;
}

TEST(BidsOutputs, AreNamedAsDerivatives) {
  const Job dwi = scanJob("sub-01_space-T1w_desc-preproc_dwi.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("fibers"), dwi, "peaks", ".nii.gz", "csd").text(),
            "sub-01_space-T1w_model-csd_param-peaks_dwimap.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("fibers"), dwi, "response_voxels", ".nii.gz", "csd").text(),
            "sub-01_space-T1w_desc-response_dseg.nii.gz");
  const Job bold = scanJob("sub-01_task-a_run-1_bold.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("activation"), bold, "mean_faces-houses", ".nii.gz", "").text(),
            "sub-01_task-a_run-1_contrast-facesHouses_stat-effect_statmap.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("activation"), bold, "effect_faces", ".nii.gz", "").text(),
            "sub-01_task-a_run-1_contrast-faces_stat-estimate_statmap.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("activation"), bold, "variance_faces", ".nii.gz", "").text(),
            "sub-01_task-a_run-1_contrast-faces_stat-variance_statmap.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("activation"), bold, "f_any", ".nii.gz", "").text(),
            "sub-01_task-a_run-1_contrast-any_stat-f_statmap.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("activation"), bold, "sigma2", ".nii.gz", "").text(),
            "sub-01_task-a_run-1_stat-sigma2_statmap.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("activation"), bold, "mask", ".nii.gz", "").text(),
            "sub-01_task-a_run-1_desc-analyzed_mask.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("activation"), bold, "diagnostics", ".json", "").text(),
            "sub-01_task-a_run-1_desc-activationDiagnostics_stats.json");
  const Job t1 = scanJob("sub-01_ses-2_T1w.nii.gz", "MNI");
  EXPECT_EQ(outputName(analysisNamed("registration"), t1, "displacement", ".nii.gz", "").text(),
            "sub-01_ses-2_from-T1w_to-MNI_mode-image_xfm.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("registration"), t1, "inverse", ".nii.gz", "").text(),
            "sub-01_ses-2_from-MNI_to-T1w_mode-image_xfm.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("registration"), t1, "affine", ".txt", "").text(),
            "sub-01_ses-2_from-T1w_to-MNI_mode-image_desc-affine_xfm.txt");
  EXPECT_EQ(outputName(analysisNamed("registration"), t1, "warped", ".nii.gz", "").text(),
            "sub-01_ses-2_space-MNI_desc-warped_T1w.nii.gz");
  const Job white = scanJob("sub-01_label-WM_probseg.nii.gz");
  EXPECT_EQ(outputName(analysisNamed("surface"), white, "surface", ".vtp", "").text(),
            "sub-01_label-WM_desc-denoised_surface.surf.gii");
}

/// Whether a file name matches a pattern, whose `*` stands for any text.
bool matches(const std::string& file, const std::string& pattern) {
  const auto star = pattern.find('*');
  if (star == pattern.npos) return file == pattern;
  const std::string begin = pattern.substr(0, star), rest = pattern.substr(star + 1);
  if (!file.starts_with(begin)) return false;
  for (std::size_t at = begin.size(); at <= file.size(); ++at)
    if (matches(file.substr(at), rest)) return true;
  return false;
}

TEST(BidsOutputs, NeverTakeTheFilesOfAnotherRun) {
  const Analysis& activation = analysisNamed("activation");
  const Job whole = scanJob("sub-01_task-a_bold.nii.gz"), run = scanJob("sub-01_task-a_run-1_bold.nii.gz");
  const auto covers = [&](const Job& job, const std::string& file) {
    const auto patterns = possibleNames(activation, job);
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches(file, pattern); });
  };
  for (const std::string stem : {"mean_visual", "sigma2", "mask"}) {
    const auto name = [&](const Job& job) { return outputName(activation, job, stem, ".nii.gz", "").text(); };
    EXPECT_TRUE(covers(whole, name(whole))) << name(whole);
    EXPECT_TRUE(covers(run, name(run))) << name(run);
    EXPECT_FALSE(covers(whole, name(run))) << name(run);
    EXPECT_FALSE(covers(run, name(whole))) << name(whole);
  }
  EXPECT_TRUE(covers(run, recordName("activation", run).text()));
  EXPECT_TRUE(covers(run, pictureName("activation", run, "3").text()));
  EXPECT_FALSE(covers(run, recordName("fibers", run).text()));
}

TEST(BidsOutputs, HaveNamesOfTheirOwnWhereOnlyLettersAreAlike) {
  Job bold;
  std::string fault;
  bold.scan = *parsedName("sub-01_task-a_bold.nii.gz", fault);
  std::vector<Name> names;
  for (const char* stem : {"mean_win+", "mean_win-", "ppm_win+", "ppm_win-", "mean_\u9854", "mean_\u5BB6"})
    names.push_back(freeName(outputName(analysisNamed("activation"), bold, stem, ".nii.gz", ""), names));
  std::vector<std::string> contrasts;
  for (const Name& name : names) contrasts.push_back(name.label("contrast"));
  EXPECT_THAT(contrasts, testing::ElementsAre("win", "win2", "win", "win2", "unnamed", "unnamed2"));
}

TEST(BidsOutputs, SayWhichModelWasTaken) {
  const Analysis& fibers = analysisNamed("fibers");
  RunResult result;
  result.provenance.parameters = {{"model", std::string("auto")}};
  EXPECT_EQ(modelOf(fibers, result), "adc");
  result.files.push_back({"response.txt", ""});
  EXPECT_EQ(modelOf(fibers, result), "csd");
  Layer volumes;
  volumes.name = "volumes";
  result.layers.push_back(volumes);
  EXPECT_EQ(modelOf(fibers, result), "msmt");
  result.provenance.parameters["model"] = std::string("qball");
  EXPECT_EQ(modelOf(fibers, result), "qball");
  EXPECT_EQ(modelOf(analysisNamed("surface"), result), "");
}

}  // namespace
}  // namespace sulcus::bids
