#include "core/bids/slurm_script.h"

#include "tests/support/expect_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::bids {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

SlurmPlan planFor(std::vector<std::string> participants) {
  SlurmPlan plan;
  plan.name = "sulcus-fibers", plan.folder = "/data/my study", plan.logs = "/out/logs";
  plan.call = {"/bin/sulcus-cli", "bids", "in put", "out"};
  plan.participants = std::move(participants);
  plan.memoryBytes = 1000.0 * 1024 * 1024;
  return plan;
}

TEST(SlurmScript, HasATaskForEachParticipant) {
  SlurmPlan plan = planFor({"01", "02", "03"});
  const std::string plain = arrayScript(plan);
  EXPECT_TRUE(plain.starts_with("#!/bin/bash\n"));
  EXPECT_THAT(plain, HasSubstr("#SBATCH --array=0-2\n"));
  EXPECT_THAT(plain, HasSubstr("#SBATCH --mem=1600M\n")) << "a fifth more than needed, and the program";
  EXPECT_THAT(plain, HasSubstr("#SBATCH --chdir=\"/data/my study\"\n"));
  EXPECT_THAT(plain, HasSubstr("participants=(01 02 03)\n"));
  EXPECT_THAT(plain, HasSubstr("exec /bin/sulcus-cli bids 'in put' out --participant-label "));
  for (const char* absent : {"--gres", "--partition", "--time", "--cpus", "%"})
    EXPECT_EQ(plain.substr(0, plain.find("--output")).find(absent), std::string::npos) << absent;
  plan.gpus = 2, plan.cpus = 8, plan.most = 1, plan.partition = "gpu", plan.time = "1:00:00";
  const std::string all = arrayScript(plan);
  for (const char* line :
       {"--gres=gpu:2", "--cpus-per-task=8", "--array=0-2%1", "--partition=gpu", "--time=1:00:00"})
    EXPECT_THAT(all, HasSubstr("#SBATCH " + std::string(line) + "\n"));
  EXPECT_THAT(singleScript(plan), Not(HasSubstr("participants")));
}

TEST(SlurmScript, HoldsNoTextThatIsNotItsOwn) {
  SlurmPlan plan = planFor({"01"});
  plan.call.emplace_back("$(rm -rf x)'; `y`");
  EXPECT_THAT(arrayScript(plan), HasSubstr(R"('$(rm -rf x)'\''; `y`')"));
  plan.partition = "a\nrm -rf /";
  test::expectError([&] { arrayScript(plan); }, {"--partition"}, ErrorKind::usage);
}

TEST(SlurmScript, QuotesWhatSbatchWouldCutShort) {
  SlurmPlan plan = planFor({"01"});
  plan.folder = "/data/study#2", plan.logs = "/data/O'Brien/100%/logs";
  for (const std::string& script : {arrayScript(plan), singleScript(plan)}) {
    EXPECT_THAT(script, HasSubstr("#SBATCH --chdir=\"/data/study#2\"\n"));
    EXPECT_THAT(script, HasSubstr("#SBATCH --output=\"/data/O'Brien/100%%/logs/slurm_%"));
  }
  plan.folder = "/data/a\tb";
  EXPECT_THAT(arrayScript(plan), HasSubstr("--chdir=\"/data/a\tb\"\n"));
}

TEST(SlurmScript, BringsForwardWhatListsWouldTake) {
  const std::vector<std::string> fixed{"in", "out", "participant"};
  EXPECT_THAT(withThoseFirst({"bids", "--participant-label", "01", "02", "in", "out", "participant"}, fixed),
              ElementsAre("bids", "in", "out", "participant", "--participant-label", "01", "02"));
  EXPECT_THAT(withThoseFirst({"bids", "in", "--draws", "5", "out", "participant", "--filter", "out"}, fixed),
              ElementsAre("bids", "in", "out", "participant", "--draws", "5", "--filter", "out"));
}

TEST(SlurmScript, OmitsFlags) {
  const auto kept =
      withoutFlags({"bids", "in", "out", "participant", "--participant-label", "01", "02", "--slurm",
                    "--time", "10", "--gpus=2", "--draws", "5", "--participant-label=03"},
                   {"--time", "--gpus"}, {"--participant-label"}, {"--slurm"});
  EXPECT_THAT(kept, ElementsAre("bids", "in", "out", "participant", "--draws", "5"));
}

}  // namespace
}  // namespace sulcus::bids
