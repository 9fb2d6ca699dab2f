// Remote machines, and runs on them.
#include "core/base/error.h"
#include "tests/ui/fake_analysis.h"
#include "tests/ui/qt_folder.h"
#include "tests/ui/wait.h"
#include "ui/model/workspace.h"

#include <QSignalSpy>
#include <future>
#include <mutex>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::oneDevice;
using test::shared;
using test::volumeLayer;

struct ProcessorsTest : testing::Test {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses{test::fakeAnalysis()};
};

TEST_F(ProcessorsTest, AreAListOfWhichOneIsUsed) {
  std::vector<std::string> places;
  std::vector<int> indices;
  Workspace other(analyses, [] { return oneDevice(); }, settings,
                  {[&](int index) { indices.push_back(index); },
                   [&](const std::string& place) { places.push_back(place); },
                   [](const std::string& place, const Progress&) { return "found " + place + "\n"; },
                   [](const std::string& place) {
                     if (place == "ssh:") throw Error("'' is not a host", "it is empty", "give one");
                   }});
  QSignalSpy known(&other.processors(), &Processors::known),
      setUp(&other.processors(), &Processors::hostSetUp);
  EXPECT_THROW(other.processors().addHost("ssh:"), Error);
  other.processors().addHost("ssh:server");
  other.processors().addHost("slurm:login");
  other.processors().addHost("ssh:server");
  EXPECT_EQ(other.preferences().values().places, "ssh:server, slurm:login");
  EXPECT_TRUE(places.empty()) << "nothing is chosen yet";
  other.processors().chooseHost("ssh:server");
  ASSERT_TRUE(known.wait(kWait));
  EXPECT_EQ(places, std::vector<std::string>{"ssh:server"});
  EXPECT_TRUE(indices.empty()) << "the number is that of a GPU here";
  EXPECT_EQ(other.presenters().named("fake")->gpuHost(), "ssh:server");
  other.processors().setUpHost("slurm:login");
  ASSERT_TRUE(setUp.wait(kWait));
  EXPECT_EQ(setUp[0][0], "found slurm:login");
  other.processors().removeHost("ssh:server");
  EXPECT_EQ(other.preferences().values().places, "slurm:login");
  EXPECT_EQ(other.preferences().values().place, "") << "the GPU here is used again";
}

thread_local std::string placeOfThread;

TEST_F(ProcessorsTest, RunAlongsideALocalRun) {
  std::vector<std::string> places;  // of the runs, in the order in which they started
  std::mutex mutex;
  std::promise<void> remoteHasRun;
  auto far = remoteHasRun.get_future().share();
  std::vector<Analysis> both{test::fakeAnalysis()};
  both[0].cpu = [inner = both[0].cpu, far](const auto& inputs, const auto& values, const auto& progress,
                                           const auto& preview) {
    // This would time out if both shared one queue.
    while (far.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) progress.update(0);
    return inner(inputs, values, progress, preview);
  };
  both[0].gpu = [&, inner = both[0].gpu](const auto& inputs, const auto& values, const auto& progress,
                                         const auto& preview) {
    {
      const std::lock_guard lock(mutex);
      places.push_back(placeOfThread);
    }
    remoteHasRun.set_value();
    return inner(inputs, values, progress, preview);
  };
  Workspace other(both, [] { return oneDevice(); }, settings,
                  {{}, [](const std::string& now) { placeOfThread = now; }, {}, {}});
  QSignalSpy known(&other.processors(), &Processors::known), idle(&other.runs(), &RunController::idle);
  other.processors().addHost("ssh:server");
  other.processors().chooseHost("ssh:server");
  ASSERT_TRUE(known.wait(kWait));
  other.layers().add(shared(volumeLayer("image")));
  ASSERT_TRUE(other.run(RunChoice::cpu));
  ASSERT_TRUE(other.run(RunChoice::gpu));
  ASSERT_TRUE(idle.wait(kWait));
  EXPECT_EQ(places, std::vector<std::string>{"ssh:server"});
  EXPECT_EQ(other.runs().runs().size(), 2u);
}

}  // namespace
}  // namespace sulcus::ui::model
