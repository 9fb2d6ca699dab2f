// Opening the files of a run restores one result.
#include "ui/model/comparison/result_files.h"

#include "core/io/files.h"
#include "tests/ui/qt_folder.h"
#include "tests/ui/rich_analysis.h"
#include "tests/ui/wait.h"
#include "ui/model/workspace.h"

#include <QSignalSpy>
#include <QTest>
#include <filesystem>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

struct ResultFilesTest : testing::Test {
  test::QtFolder folder;
  QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
  std::vector<Analysis> analyses{test::fakeAnalysis()};
  Workspace workspace{analyses, [] { return test::oneDevice(); }, settings};
  LayerStack& layers = workspace.layers();
  std::vector<std::vector<LayerId>> told;

  void SetUp() override {
    analyses.front().outputs = {"ppm_*", "mean_*"};
    std::filesystem::create_directories(folder / "run");
    for (const char* name : {"mean_faces", "ppm_faces", "other"})
      io::saveLayer(test::volumeLayer(name), folder / "run" / (std::string(name) + ".nii"));
    QObject::connect(&workspace.arrivedLayers(), &ArrivedLayers::resultOpened, &workspace,
                     [this](const std::vector<LayerId>& ids) { told.push_back(ids); });
  }
  void markAsRun() { io::writeFile(folder / "run/provenance.json", "{}"); }
  bool open(const QStringList& paths) {
    workspace.files().open(paths);
    return QTest::qWaitFor([this] { return workspace.files().pending() == 0; }, kWait);
  }
  QStringList named(const std::vector<LayerId>& ids) {
    QStringList names;
    for (const LayerId id : ids) names << layers.find(id)->name;
    return names;
  }
  QStringList seen() {
    QStringList names;
    for (const LayerState& state : layers.layers())
      if (state.display.visible) names << state.name;
    return names;
  }
};

TEST_F(ResultFilesTest, OfAFolderAreOneResultOfWhichTheFirstIsSeen) {
  markAsRun();
  ASSERT_TRUE(open({folder.filePath("run")}));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(named(told.front()), (QStringList{"ppm_faces", "mean_faces", "other"}));
  EXPECT_EQ(seen(), QStringList{"ppm_faces"});
  EXPECT_EQ(layers.find(layers.current())->name, "ppm_faces");
}

TEST_F(ResultFilesTest, OpenedOneByOneStayAsTheyAreSeen) {
  markAsRun();
  ASSERT_TRUE(open({folder.filePath("run/mean_faces.nii")}));
  EXPECT_TRUE(told.empty()) << "one file is no choice";
  ASSERT_TRUE(open({folder.filePath("run/ppm_faces.nii")}));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(named(told.front()), (QStringList{"ppm_faces", "mean_faces"}));
  EXPECT_EQ(seen().size(), 2) << "what was shown is not hidden by what comes";
}

TEST_F(ResultFilesTest, WithoutAProvenanceNextToThemAreFilesLikeOthers) {
  EXPECT_EQ(filesOfRun(folder.filePath("run")), QStringList());
  ASSERT_TRUE(open({folder.filePath("run/mean_faces.nii"), folder.filePath("run/ppm_faces.nii")}));
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(seen().size(), 2);
}

}  // namespace
}  // namespace sulcus::ui::model
