#include "app/cli_output.h"

#include "core/base/error.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

namespace fs = std::filesystem;

class StagedOutputsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "staged-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string read(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  long entries() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

TEST_F(StagedOutputsTest, AppearOnlyWhenPublished) {
  const fs::path out = folder_ / "deep" / "out";
  StagedOutputs outputs(out);
  write(outputs.file("a.txt"), "a");
  write(outputs.file("cpu/b.txt"), "b");
  EXPECT_FALSE(fs::exists(out));
  const auto files = outputs.publish(false);
  EXPECT_EQ(files.size(), 2u);
  EXPECT_EQ(read(out / "a.txt"), "a");
  EXPECT_EQ(read(out / "cpu" / "b.txt"), "b");
}

TEST_F(StagedOutputsTest, LeaveNothingBehindWhenNotPublished) {
  {
    StagedOutputs outputs(folder_ / "out");
    write(outputs.file("a.txt"), "a");
  }
  EXPECT_EQ(entries(), 0);
}

TEST_F(StagedOutputsTest, ReplaceFilesOfTheSameNameAndKeepOthers) {
  write(folder_ / "a.txt", "old");
  write(folder_ / "mine.txt", "mine");
  write(folder_ / "provenance.json", "old");
  {
    StagedOutputs outputs(folder_ / "");
    write(outputs.file("a.txt"), "new");
    write(outputs.file("provenance.json"), "new");
    EXPECT_EQ(read(folder_ / "a.txt"), "old");
    outputs.publish(true);
  }
  EXPECT_EQ(read(folder_ / "a.txt"), "new");
  EXPECT_EQ(read(folder_ / "provenance.json"), "new");
  EXPECT_EQ(read(folder_ / "mine.txt"), "mine");
  EXPECT_EQ(entries(), 3) << "no temporary folder stays";
}

TEST_F(StagedOutputsTest, MoveNothingWhenOneOfThemExists) {
  write(folder_ / "z.json", "mine");
  {
    StagedOutputs outputs(folder_);
    write(outputs.file("a.nii.gz"), "new");
    write(outputs.file("z.json"), "new");
    EXPECT_THROW(outputs.publish(false), Error);
  }
  EXPECT_EQ(read(folder_ / "z.json"), "mine");
  EXPECT_EQ(entries(), 1);
}

TEST_F(StagedOutputsTest, SayAtOnceWhenTheyCannotBeWritten) {
  write(folder_ / "file", "");
  EXPECT_THROW(StagedOutputs(folder_ / "file" / "out"), Error);
}

TEST_F(StagedOutputsTest, AreRefusedWhereTheyExist) {
  write(folder_ / "a.txt", "old");
  EXPECT_THROW(refuseExisting(folder_, {"b.txt", "a.txt"}, false), Error);
  EXPECT_NO_THROW(refuseExisting(folder_, {"b.txt"}, false));
  EXPECT_NO_THROW(refuseExisting(folder_, {"a.txt"}, true));
  EXPECT_THROW(refuseExisting(folder_ / "a.txt", {}, true), Error) << "a file is no folder";
}

TEST_F(StagedOutputsTest, AreRefusedWhereAFileMatchesAStar) {
  fs::create_directory(folder_ / "cpu");
  write(folder_ / "cpu" / "mean_visual.nii.gz", "old");
  EXPECT_THROW(refuseExisting(folder_, {"cpu/mean_*.nii.gz"}, false), Error);
  EXPECT_NO_THROW(refuseExisting(folder_, {"mean_*.nii.gz", "cpu/mean_*.tsv", "gpu/mean_*.nii.gz"}, false));
  EXPECT_NO_THROW(refuseExisting(folder_, {"cpu/mean_*.nii.gz"}, true));
  EXPECT_NO_THROW(refuseExisting(folder_ / "none", {"mean_*.nii.gz"}, false));
}

}  // namespace
}  // namespace sulcus::app
