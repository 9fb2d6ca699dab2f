#include "core/base/error.h"
#include "core/bids/jobs.h"
#include "tests/core/bids/study_analyses.h"

#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

// The public collection bids-examples, in the folder SULCUS_BIDS_EXAMPLES. Its images are empty: only the
// folder trees are tested.
namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

struct Counts {
  std::size_t jobs = 0, runnable = 0;
};

Counts countsOf(const Study& study, const std::string& analysis) {
  Demand demand;
  demand.analysis = &test::analysisNamed(analysis);
  if (analysis == "registration") demand.reference = "/templates/tpl-MNI_T1w.nii.gz";
  Counts counts;
  try {
    const auto found = findJobs(study, demand);
    counts.jobs = found.jobs.size();
    for (const auto& job : found.jobs) counts.runnable += job.problem.empty();
  } catch (const Error& nothing) {
    EXPECT_NE(std::string(nothing.what()).find("nothing to do"), std::string::npos) << nothing.what();
  }
  return counts;
}

TEST(BidsExamples, EveryTreeIsReadAndScansAreFound) {
  const char* folder = std::getenv("SULCUS_BIDS_EXAMPLES");
  if (!folder) GTEST_SKIP() << "SULCUS_BIDS_EXAMPLES names no folder of bids-examples";
  std::map<std::string, std::map<std::string, Counts>> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!fs::exists(entry.path() / "dataset_description.json")) continue;
    Study study;
    try {
      study = openStudy(entry.path(), false);
    } catch (const Error& none) {
      EXPECT_NE(std::string(none.what()).find("has no subjects"), std::string::npos)
          << entry.path() << ": " << none.what();
      continue;
    }
    auto& counts = found[entry.path().filename()];
    std::cout << entry.path().filename().string() << ": " << study.front().subjects.size() << " subjects";
    for (const char* analysis : {"fibers", "activation", "registration", "surface"}) {
      counts[analysis] = countsOf(study, analysis);
      std::cout << ", " << analysis << " " << counts[analysis].runnable << "/" << counts[analysis].jobs;
    }
    std::cout << "\n";
  }
  EXPECT_GT(found.size(), 80u);
  // Counted manually in the listings of these data sets.
  EXPECT_EQ(found["ds001"]["activation"].runnable, 48u) << "16 subjects of 3 runs";
  EXPECT_EQ(found["ds005"]["activation"].runnable, 48u);
  EXPECT_EQ(found["ds114"]["fibers"].runnable, 20u) << "10 subjects of 2 sessions, gradients at the root";
  EXPECT_EQ(found["ds114"]["registration"].runnable, 20u);
}

}  // namespace
}  // namespace sulcus::bids
