// A study without results, in the window.
#include "core/bids/study_traits.h"
#include "core/io/files.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/model/choices/study_model.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <filesystem>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

namespace fs = std::filesystem;

std::vector<Analysis> fakeFibers() {
  Analysis analysis = test::fakeAnalysis();
  analysis.name = "fibers";
  bids::StudyTraits study;
  study.scans = {"dwi", "dwi", "dwi", "dwi"};
  analysis.study = std::make_shared<const bids::StudyTraits>(std::move(study));
  return {analysis};
}

struct RawStudyWindow : WindowFixture {
  RawStudyWindow() : WindowFixture(fakeFibers()) {}
  const fs::path root = folder / "my study";

  void SetUp() override {
    for (const std::string subject : {"sub-01", "sub-02"}) {
      fs::create_directories(root / subject / "anat");
      for (const char* suffix : {"_T1w", "_T2w"})
        io::saveLayer(test::volumeLayer("scan", {4, 4, 4}),
                      root / subject / "anat" / (subject + suffix + ".nii"));
    }
    io::writeFile(root / "dataset_description.json", R"({"Name": "s", "BIDSVersion": "1.10.0"})");
    io::writeFile(root / "participants.tsv", "participant_id\tage\tsite\nsub-01\t40\tn/a\n");
    open();
    window->openFiles({QString::fromStdString(root.string())});
    ASSERT_TRUE(waitFor([this] { return workspace->study().current() == 0; }));
  }
  QStringList names() {
    QStringList all;
    for (const model::LayerState& state : layers().layers()) all << state.name;
    return all;
  }
};

TEST_F(RawStudyWindow, OmitsEmptyColumns) {
  const auto* table = child<QTableView>("study");
  EXPECT_TRUE(table->isColumnHidden(model::StudyModel::furthest));
  EXPECT_FALSE(table->isColumnHidden(model::StudyModel::firstCell)) << "age";
  EXPECT_TRUE(table->isColumnHidden(model::StudyModel::firstCell + 1)) << "site";
  EXPECT_FALSE(table->isColumnHidden(model::StudyModel::comment)) << "it is for writing";
}

TEST_F(RawStudyWindow, OpensTheOtherScansAndThoseOfTheNext) {
  auto* button = child<QToolButton>("openScans");
  EXPECT_EQ(names(), QStringList{"sub-01_T1w"});
  EXPECT_EQ(button->text(), "Open its other scans (1)");
  keep("raw_study");
  QTest::mouseClick(button, Qt::LeftButton);
  ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
  EXPECT_EQ(names(), (QStringList{"sub-01_T1w", "sub-01_T2w"}));
  EXPECT_FALSE(button->isEnabled());
  ASSERT_TRUE(window->trigger("study.next"));
  ASSERT_TRUE(waitFor([this] { return workspace->study().current() == 1; }));
  EXPECT_EQ(names(), (QStringList{"sub-02_T1w", "sub-02_T2w"}));
  EXPECT_FALSE(window->trigger("study.openScans"));
}

TEST_F(RawStudyWindow, SaysTheCommandThatRunsIt) {
  const QString study = QString::fromStdString(root.string());
  const auto expected = [&](const QString& flags) {
    return QStringLiteral("sulcus-cli bids '%1' '%1/derivatives/sulcus' participant --analysis fibers%2")
        .arg(study, flags);
  };
  ASSERT_TRUE(child<QLineEdit>("studyCommand")->isVisible());
  EXPECT_EQ(child<QLineEdit>("studyCommand")->text(),
            "Fake cannot be run on the study (the study has no scans for it): choose another analysis");
  EXPECT_FALSE(child<QToolButton>("copyStudyCommand")->isEnabled());
  EXPECT_FALSE(window->trigger("study.copyCommand"));
  fs::create_directories(root / "sub-02" / "dwi");
  io::saveLayer(test::volumeLayer("scan", {4, 4, 4}), root / "sub-02" / "dwi" / "sub-02_dwi.nii");
  window->openFiles({study});
  ASSERT_TRUE(waitFor([&] { return child<QToolButton>("copyStudyCommand")->isEnabled(); }));
  EXPECT_EQ(child<QLineEdit>("studyCommand")->text(), expected({}));
  workspace->presenters().current()->options().set("gain", 3.5);
  EXPECT_EQ(child<QLineEdit>("studyCommand")->text(), expected(QStringLiteral(" --gain 3.5")));
  QTest::mouseClick(child<QToolButton>("copyStudyCommand"), Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), expected(QStringLiteral(" --gain 3.5")));
  // The text disappears once there are results.
  fs::create_directories(root / "derivatives/sulcus");
  io::writeFile(root / "derivatives/sulcus/dataset_description.json", "{}");
  io::writeFile(root / "derivatives/sulcus/participants.tsv",
                "participant_id\tfibers_status\nsub-01\tdone\n");
  window->openFiles({study});
  EXPECT_TRUE(waitFor([this] { return !child<QLineEdit>("studyCommand")->isVisible(); }));
  EXPECT_FALSE(window->trigger("study.copyCommand"));
}

}  // namespace
}  // namespace sulcus::ui::widgets
