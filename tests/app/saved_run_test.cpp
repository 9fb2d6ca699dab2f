// Each analysis, on its demo: what a saved run is made of again gives the same files.
#include "ui/jobs/saved_run.h"

#include "app/analyses/table.h"
#include "tests/ui/qt_folder.h"
#include "ui/model/workspace.h"

#include <QCoreApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

namespace fs = std::filesystem;
using ui::model::RunChoice;

constexpr int kWait = 120000;  ///< ms; only a failure waits that long

std::string bytesOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct SavedDemo : testing::TestWithParam<std::string> {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  ui::model::Workspace workspace{analyses::table(),
                                 [] {
                                   return DeviceReport{{}, "none in a test"};
                                 },
                                 settings};
  QSignalSpy failed{&workspace, &ui::model::Workspace::failed};

  bool idle() {
    return QTest::qWaitFor(
        [this] {
          return workspace.files().pending() == 0 && workspace.runs().pending() == 0 &&
                 workspace.jobs().active() == 0;
        },
        kWait);
  }
  void save(const char* name) {
    ASSERT_TRUE(workspace.currentRun());
    workspace.files().saveRun(workspace.currentRun(), folder.filePath(name));
    ASSERT_TRUE(idle());
    ASSERT_EQ(failed.count(), 0) << failed.front().back().toString().toStdString();
  }
  void makeAgain(const char* from, const char* to) {
    const bool follows = bool(workspace.currentRun()->result->adjust);
    workspace.layers().clear();
    workspace.current()->resetOptions();
    workspace.openRun(folder.filePath(from));
    ASSERT_TRUE(idle());
    ASSERT_EQ(workspace.runs().runs().size(), 1u);
    EXPECT_EQ(bool(workspace.currentRun()->result->adjust), follows) << "its sliders";
    save(to);
  }
  void expectSameFiles(const char* a, const char* b) {
    int compared = 0;
    for (const auto& entry : fs::directory_iterator(folder / a)) {
      const fs::path name = entry.path().filename();
      if (entry.is_directory() || name.extension() == ".json") continue;  // times and places differ
      EXPECT_TRUE(bytesOf(entry.path()) == bytesOf(folder / b / name)) << name;
      ++compared;
    }
    EXPECT_GE(compared, 3);
  }
};

TEST_P(SavedDemo, IsMadeAgain) {
  QSignalSpy loaded(&workspace, &ui::model::Workspace::demoLoaded);
  workspace.loadDemo(QString::fromStdString(GetParam()));
  ASSERT_TRUE(loaded.wait(kWait));
  auto& presenter = *workspace.current();
  if (GetParam() == "activation") presenter.setOption("draws", std::int64_t(200));
  if (GetParam() == "registration") presenter.setOption("iterations", std::string("5/5/2"));
  ASSERT_TRUE(workspace.run(RunChoice::cpu)) << presenter.whyNot(RunChoice::cpu).toStdString();
  ASSERT_TRUE(idle());
  save("first");
  EXPECT_TRUE(workspace.lossOf(workspace.currentRun()->layers).isEmpty()) << "files hold it";

  makeAgain("first", "second");
  // The gradients of a demo are in no file; in that which they are saved in they have ten digits.
  if (GetParam() == "fibers")
    makeAgain("second", "third"), expectSameFiles("second", "third");
  else
    expectSameFiles("first", "second");
}

INSTANTIATE_TEST_SUITE_P(Each, SavedDemo, testing::Values("fibers", "activation", "registration", "surface"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace sulcus::app

int main(int count, char** arguments) {
  QCoreApplication program(count, arguments);
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
