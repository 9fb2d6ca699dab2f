// The window and a remote GPU. Here ssh is a script that calls the other side; tests/commands/ssh.sh uses a
// real one.
#include "app/remote/window_runs.h"

#include "app/analyses/table.h"
#include "core/base/error.h"
#include "core/base/platform/processes/own_program.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::remote {
namespace {

namespace fs = std::filesystem;

struct WindowRuns : testing::Test {
  const test::TemporaryFolder folder;
  const fs::path cli = ownProgram().parent_path() / "sulcus-cli";
  const std::string path = std::getenv("PATH");

  void SetUp() override {
    if (!fs::exists(cli)) GTEST_SKIP() << "sulcus-cli is not built";
    setSsh("exec '" + cli.string() + "' serve");
    setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1);
    setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
  }
  void TearDown() override {
    usePlace("");
    setenv("PATH", path.c_str(), 1);
    unsetenv("XDG_CACHE_HOME");
  }
  void setSsh(const std::string& line) const { setProgram("ssh", line); }
  void setProgram(const std::string& name, const std::string& line) const {
    std::ofstream(folder / name) << "#!/bin/sh\n" << line << "\n";
    fs::permissions(folder / name, fs::perms::owner_all);
  }
  static Analysis analysisOf(const std::string& name) {
    for (Analysis& analysis : movable(analyses::table()))
      if (analysis.name == name) return analysis;
    throw std::logic_error("no " + name);
  }
  static OptionValues defaults(const std::vector<OptionInfo>& infos) {
    OptionValues values;
    for (const auto& info : infos) values[info.name] = info.defaultValue;
    return values;
  }
};

TEST_F(WindowRuns, GiveWhatARunHereGives) {
  const Analysis analysis = analysisOf("fibers");
  const AnalysisInputs inputs = analysis.demo(defaults(analysis.demoOptions));
  OptionValues values = defaults(analysis.options);
  values["order"] = std::int64_t(4);
  usePlace("ssh:server/cpu");
  const DeviceReport report = devices();
  ASSERT_EQ(report.devices.size(), 1u) << report.reason;
  EXPECT_THAT(report.devices[0].name, testing::EndsWith(", at server"));
  double furthest = 0;
  const Progress progress(
      {}, [&](double fraction, std::string_view) { furthest = std::max(furthest, fraction); });
  const RunResult there = analysis.gpu(inputs, values, progress, {});
  const RunResult here = analysis.cpu(inputs, values, {}, {});
  EXPECT_GT(furthest, 0.5);
  EXPECT_EQ(there.layers.front().name, here.layers.front().name);
  EXPECT_EQ(there.layers.size(), here.layers.size());
  EXPECT_EQ(there.itemName, here.itemName);
  EXPECT_EQ(there.items, here.items);
  EXPECT_EQ(there.notes, here.notes);
  EXPECT_THAT(there.provenance.device, testing::EndsWith(", at server"));
  const Comparison comparison = analysis.compare(here, there, {});
  EXPECT_GE(comparison.rows.size(), 5u);
  for (const auto& row : comparison.rows)  // fractions have no differences
    EXPECT_TRUE(std::isnan(row.maximum) ? row.shareWithin == 1 : row.maximum < 1e-3) << row.quantity;
  EXPECT_TRUE(comparison.agrees());
}

TEST_F(WindowRuns, ShowWhatTheyHaveSoFar) {
  const Analysis analysis = analysisOf("activation");
  const AnalysisInputs inputs = analysis.demo(defaults(analysis.demoOptions));
  OptionValues values = defaults(analysis.options);
  values["draws"] = std::int64_t(40000);  // it is stopped by the first preview
  usePlace("ssh:server/cpu");
  std::stop_source stop;
  std::vector<Layer> shown;
  const auto preview = [&](const std::vector<Layer>& layers, const std::vector<Plot>&) {
    shown = layers;
    stop.request_stop();
  };
  EXPECT_THROW(analysis.gpu(inputs, values, Progress(stop.get_token(), {}), preview), Cancelled);
  ASSERT_FALSE(shown.empty());
  EXPECT_THAT(shown.front().name, testing::StartsWith("ppm_"));
  EXPECT_TRUE(shown.front().source.empty()) << "the file goes";
}

TEST_F(WindowRuns, HaveSlidersAndPlotsWhereTheirFilesAreEnough) {
  const Analysis analysis = analysisOf("activation");
  const AnalysisInputs inputs = analysis.demo(defaults(analysis.demoOptions));
  OptionValues values = defaults(analysis.options);
  values["draws"] = std::int64_t(60), values["burn-in"] = std::int64_t(20), values["save-draws"] = true;
  usePlace("ssh:server/cpu");
  const RunResult there = analysis.gpu(inputs, values, {}, {});
  EXPECT_FALSE(there.plots.empty());
  ASSERT_TRUE(there.adjust);
  values["gamma"] = 0.5;
  EXPECT_FALSE(there.adjust(values, {}).empty()) << "also when the files have gone";
}

TEST_F(WindowRuns, SayWhyTheyCannotBe) {
  usePlace("ssh:server");
  setSsh("echo 'ssh: Could not resolve hostname server' >&2; exit 255");
  EXPECT_TRUE(devices().devices.empty());
  EXPECT_THAT(devices().reason, testing::HasSubstr("server cannot be reached"));
  const Analysis analysis = analysisOf("fibers");
  const AnalysisInputs inputs = analysis.demo(defaults(analysis.demoOptions));
  test::expectError([&] { analysis.gpu(inputs, defaults(analysis.options), {}, {}); },
                    {"server cannot be reached", "Could not resolve"}, ErrorKind::unavailable);
}

TEST_F(WindowRuns, KnowOfASlurm) {
  setProgram("sinfo", "exit 1");
  usePlace("slurm:login");
  EXPECT_TRUE(devices().devices.empty());
  EXPECT_THAT(devices().reason, testing::HasSubstr("There is no Slurm at login"));
  setProgram("sinfo", "echo 'long* gpu:4'; echo 'short (null)'");
  ASSERT_EQ(devices().devices.size(), 1u) << devices().reason;
  EXPECT_EQ(devices().devices[0].name, "Slurm, at login");
  EXPECT_THAT(setUp("slurm:login", {}), testing::HasSubstr("Slurm (partitions long* gpu:4, short)"));
  EXPECT_THROW(requirePlace("login"), Error);
}

TEST_F(WindowRuns, AreStopped) {
  std::stop_source stop;
  stop.request_stop();
  usePlace("ssh:server/cpu");
  const Analysis analysis = analysisOf("fibers");
  const AnalysisInputs inputs = analysis.demo(defaults(analysis.demoOptions));
  EXPECT_THROW(analysis.gpu(inputs, defaults(analysis.options), Progress(stop.get_token(), {}), {}),
               Cancelled);
}

}  // namespace
}  // namespace sulcus::app::remote
