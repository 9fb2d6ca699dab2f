#include "core/io/streams/staged_files.h"

#include "tests/core/io/dicom/dead_run.h"
#include "tests/core/io/io_test_support.h"
#include "tests/core/io/special_files.h"

#include <sys/stat.h>
#include <unistd.h>

namespace sulcus::io {
namespace {

using namespace test;
namespace fs = std::filesystem;

class StagedFilesTest : public testing::Test {
 protected:
  long entries(const fs::path& folder) const { return std::distance(fs::directory_iterator(folder), {}); }
  /// Leaves the files of a run that was killed after writing a.txt, b.txt and provenance.json, all with
  /// "new".
  fs::path abandoned(const fs::path& out) const {
    inADeadRun([&] {
      auto* const outputs = new StagedFiles(StagedFiles::results(out, {"*.txt", "provenance.json"}, true));
      for (const char* name : {"a.txt", "b.txt", "provenance.json"}) writeBytes(outputs->file(name), "new");
    });
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      if (entry.path().filename().native().starts_with(".part-")) return entry.path();
    ADD_FAILURE() << "nothing was left";
    return {};
  }
  void expectAll(const std::string& text) const {
    for (const char* name : {"a.txt", "b.txt", "provenance.json"})
      EXPECT_EQ(readBytes(out_ / name), text) << name;
  }

  TemporaryFolder folder_;
  const fs::path out_ = folder_ / "out";
};

TEST_F(StagedFilesTest, AppearOnlyWhenPublished) {
  const fs::path out = folder_ / "deep" / "out";
  StagedFiles outputs = StagedFiles::results(out / "", {}, false);
  writeBytes(outputs.file("a.txt"), "a");
  writeBytes(outputs.file("cpu/b.txt"), "b");
  EXPECT_FALSE(fs::exists(out));
  EXPECT_EQ(outputs.publish().size(), 2u);
  EXPECT_EQ(readBytes(out / "a.txt"), "a");
  EXPECT_EQ(readBytes(out / "cpu" / "b.txt"), "b");
}

TEST_F(StagedFilesTest, LeaveNothingBehindWhenNotPublished) {
  writeBytes(StagedFiles::results(out_, {}, false).file("a.txt"), "a");
  EXPECT_EQ(entries(folder_.path()), 0);
}

TEST_F(StagedFilesTest, ReplaceAWholeResultAndKeepWhatIsOfOthers) {
  fs::create_directories(out_ / "cpu");
  chmod(out_.c_str(), 0750);
  for (const char* name : {"a.txt", "stale.txt", "cpu/a.txt", "provenance.json", "mine.md", "cpu/mine.md"})
    writeBytes(out_ / name, "old");
  struct stat before {
  }, after{};
  stat(out_.c_str(), &before);
  {
    StagedFiles outputs = StagedFiles::results(out_ / "", {"*.txt", "cpu/*.txt", "provenance.json"}, true);
    for (const char* name : {"a.txt", "cpu/a.txt", "provenance.json"}) writeBytes(outputs.file(name), "new");
    EXPECT_EQ(readBytes(out_ / "a.txt"), "old");
    outputs.publish();
  }
  for (const char* name : {"a.txt", "cpu/a.txt", "provenance.json"})
    EXPECT_EQ(readBytes(out_ / name), "new") << name;
  for (const char* name : {"mine.md", "cpu/mine.md"}) EXPECT_EQ(readBytes(out_ / name), "old") << name;
  EXPECT_FALSE(fs::exists(out_ / "stale.txt")) << "of the old result";
  EXPECT_EQ(entries(out_), 4);
  EXPECT_EQ(entries(folder_.path()), 1) << "no temporary folder stays";
  stat(out_.c_str(), &after);
  EXPECT_NE(before.st_ino, after.st_ino) << "the folders were exchanged";
  EXPECT_EQ(before.st_mode, after.st_mode);
}

TEST_F(StagedFilesTest, AreMovedOneByOneWhereFoldersOfOthersLie) {
  fs::create_directories(out_ / "theirs" / "deep");
  writeBytes(out_ / "theirs" / "deep" / "a.txt", "theirs");
  fs::create_symlink("theirs", out_ / "link");
  for (const char* name : {"a.txt", "stale.txt", "provenance.json"}) writeBytes(out_ / name, "old");
  struct stat before {
  }, after{};
  stat(out_.c_str(), &before);
  {
    StagedFiles outputs = StagedFiles::results(out_, {"*.txt", "provenance.json"}, true);
    for (const char* name : {"a.txt", "cpu/b.txt", "provenance.json"}) writeBytes(outputs.file(name), "new");
    outputs.publish();
  }
  for (const char* name : {"a.txt", "cpu/b.txt", "provenance.json"})
    EXPECT_EQ(readBytes(out_ / name), "new") << name;
  EXPECT_FALSE(fs::exists(out_ / "stale.txt"));
  EXPECT_EQ(readBytes(out_ / "link" / "deep" / "a.txt"), "theirs");
  EXPECT_EQ(entries(out_), 5);
  EXPECT_EQ(entries(folder_.path()), 1);
  stat(out_.c_str(), &after);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(StagedFilesTest, DoNotTakeTheCurrentFolderAway) {
  fs::create_directory(out_);
  writeBytes(out_ / "a.txt", "old");
  inADeadRun([&] {
    if (chdir(out_.c_str()) != 0) _exit(1);
    {
      StagedFiles outputs = StagedFiles::results(".", {"a.txt"}, true);
      writeBytes(outputs.file("a.txt"), "new");
      outputs.publish();
    }
    _exit(readBytes("a.txt") == "new" && fs::equivalent(".", out_) ? 0 : 2);
  });
  EXPECT_EQ(entries(out_), 1);
}

TEST_F(StagedFilesTest, FollowALinkToTheFolder) {
  fs::create_directory(out_);
  fs::create_symlink("out", folder_ / "link");
  writeBytes(out_ / "a.txt", "old");
  {
    StagedFiles outputs = StagedFiles::results(folder_ / "link", {"a.txt"}, true);
    writeBytes(outputs.file("a.txt"), "new");
    outputs.publish();
  }
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(readBytes(out_ / "a.txt"), "new");
}

TEST_F(StagedFilesTest, MoveNothingWhenOneOfThemExists) {
  fs::create_directory(out_);
  {
    StagedFiles outputs = StagedFiles::results(out_, {}, false);
    writeBytes(outputs.file("a.nii.gz"), "new");
    writeBytes(outputs.file("z.json"), "new");
    writeBytes(out_ / "z.json", "theirs");
    expectError([&] { outputs.publish(); }, {"z.json' exists already"});
  }
  EXPECT_EQ(readBytes(out_ / "z.json"), "theirs");
  EXPECT_EQ(entries(out_), 1);
}

TEST_F(StagedFilesTest, AreRefusedBeforeTheWorkWhereTheyCannotBePublished) {
  writeBytes(folder_ / "file", "");
  expectError([&] { StagedFiles::results(folder_ / "file", {}, true); }, {"file' is a file"});
  expectError([&] { StagedFiles::results(folder_ / "file" / "out", {}, true); }, {"Cannot write"});
  expectError([&] { StagedFiles::results("/proc/out", {}, true); }, {"Cannot write"});
  fs::create_directories(out_ / "surface.vtp");
  writeBytes(out_ / "cpu", "");
  for (const bool overwrite : {false, true}) {
    expectError([&] { StagedFiles::results(out_, {"surface.vtp"}, overwrite); },
                {"surface.vtp' is a folder"});
    expectError([&] { StagedFiles::results(out_, {"cpu/surface.vtp"}, overwrite); }, {"cpu' is a file"});
  }
  fs::create_symlink("nowhere", folder_ / "dangling");
  expectError([&] { StagedFiles::results(folder_ / "dangling", {}, true); }, {"dangling"});
  fs::create_symlink("loop", folder_ / "loop");
  expectError([&] { StagedFiles::results(folder_ / "loop", {}, true); }, {"Cannot write 'loop'"});
}

TEST_F(StagedFilesTest, ReplaceOrdinaryFilesOnly) {
  fs::create_directory(out_);
  for (const auto& special : specialFilesIn(out_)) {
    const auto kind = fs::symlink_status(special).type();
    const std::string name = special.filename(), said = name + "' is not a regular file";
    for (const bool overwrite : {false, true}) {
      expectError([&] { StagedFiles::results(out_, {name}, overwrite); }, {said});
      expectError([&] { StagedFiles::results(out_, {name + "*"}, overwrite); }, {said});
      expectError([&] { StagedFiles::scan(special, {}, overwrite); }, {said});
      expectError([&] { StagedFiles::scan(out_ / "s.nii", {special}, overwrite); }, {said});
    }
    EXPECT_EQ(fs::symlink_status(special).type(), kind) << special;
  }
}

TEST_F(StagedFilesTest, KnowWhatTheyMayReplace) {
  fs::create_directory(out_);
  for (const char* name : {"a.txt", "mine.md"}) writeBytes(out_ / name, "old");
  writeBytes(folder_ / "a.txt", "theirs");
  fs::create_symlink("out/a.txt", folder_ / "link");
  const StagedFiles outputs = StagedFiles::results(out_, {"*.txt"}, true);
  EXPECT_TRUE(outputs.mayReplace(out_ / "a.txt"));
  EXPECT_TRUE(outputs.mayReplace(out_ / ".." / "out" / "a.txt"));
  EXPECT_TRUE(outputs.mayReplace(folder_ / "link"));
  for (const auto& other : {out_ / "mine.md", out_ / "b.txt", folder_ / "a.txt"})
    EXPECT_FALSE(outputs.mayReplace(other)) << other;
}

TEST_F(StagedFilesTest, NeedTheNameOfAScan) {
  for (const bool overwrite : {false, true}) {
    expectError([&] { StagedFiles::scan(out_ / "", {}, overwrite); }, {"out/' names no file"});
    expectError([&] { StagedFiles::scan("", {}, overwrite); }, {"'' names no file"});
    expectError([&] { StagedFiles::results("", {}, overwrite); }, {"'' names no folder"});
  }
}

TEST_F(StagedFilesTest, AreRefusedWhereTheyExist) {
  fs::create_directories(out_ / "cpu");
  writeBytes(out_ / "a.txt", "old");
  writeBytes(out_ / "cpu" / "mean_visual.nii.gz", "old");
  expectError(
      [&] {
        StagedFiles::results(out_, {"b.txt", "a.txt"}, false);
      },
      {"a.txt' exists already", "--overwrite"});
  expectError([&] { StagedFiles::results(out_, {"cpu/mean_*.nii.gz"}, false); },
              {"mean_visual.nii.gz' exists already"});
  EXPECT_NO_THROW(StagedFiles::results(out_, {"b.txt"}, false));
  EXPECT_NO_THROW(StagedFiles::results(out_, {"a.txt", "cpu/mean_*.nii.gz"}, true));
  EXPECT_NO_THROW(
      StagedFiles::results(out_, {"mean_*.nii.gz", "cpu/mean_*.tsv", "gpu/mean_*.nii.gz"}, false));
  EXPECT_NO_THROW(StagedFiles::results(folder_ / "none", {"mean_*.nii.gz"}, false));
}

TEST_F(StagedFilesTest, OfADeadRunAreRemoved) {
  EXPECT_TRUE(fs::exists(abandoned(out_)));
  { StagedFiles next = StagedFiles::results(out_, {}, false); }
  EXPECT_EQ(entries(folder_.path()), 0);
}

TEST_F(StagedFilesTest, OfALivingRunStay) {
  StagedFiles one = StagedFiles::results(out_, {"*.txt"}, false);
  writeBytes(one.file("a.txt"), "one");
  {
    StagedFiles two = StagedFiles::results(out_, {"*.txt"}, false);
    writeBytes(two.file("b.txt"), "two");
    two.publish();
  }
  expectError([&] { one.publish(); }, {"b.txt' exists already"});
  EXPECT_FALSE(fs::exists(out_ / "a.txt")) << "results of two runs are never mixed";
}

TEST_F(StagedFilesTest, OfARunKilledWhileItMovedOldOnesAwayComeBack) {
  const fs::path left = abandoned(out_);
  fs::create_directories(left / "old");
  fs::create_directory(out_);
  writeBytes(left / "old" / "provenance.json", "old");
  writeBytes(left / "old" / "a.txt", "old");
  writeBytes(out_ / "b.txt", "old");
  EXPECT_THROW(StagedFiles::results(out_, {"*.txt"}, false), Error) << "they are there";
  expectAll("old");
  EXPECT_EQ(entries(folder_.path()), 1);
}

TEST_F(StagedFilesTest, OfARunKilledWhileItMovedNewOnesInAreFinished) {
  const fs::path left = abandoned(out_);
  fs::create_directories(left / "old");
  fs::create_directory(out_);
  writeBytes(left / "old" / "a.txt", "old");
  fs::rename(left / "new", left / "going");
  fs::rename(left / "going" / "a.txt", out_ / "a.txt");
  EXPECT_THROW(StagedFiles::results(out_, {"*.txt"}, false), Error) << "they are there";
  expectAll("new");
  EXPECT_EQ(entries(folder_.path()), 1);
}

TEST_F(StagedFilesTest, BesideAScanAreOfOneKind) {
  for (const char* name : {"s.nii", "s.json", "s.bval", "other.nii"}) writeBytes(folder_ / name, "old");
  {
    StagedFiles files = StagedFiles::scan(folder_ / "s.nii", {folder_ / "s.json", folder_ / "s.bval"}, true);
    writeBytes(files.file("s.nii"), "new");
    writeBytes(files.file("s.json"), "new");
    EXPECT_EQ(readBytes(folder_ / "s.nii"), "old");
    files.publish();
  }
  EXPECT_EQ(readBytes(folder_ / "s.nii"), "new");
  EXPECT_EQ(readBytes(folder_ / "s.json"), "new");
  EXPECT_EQ(readBytes(folder_ / "other.nii"), "old");
  EXPECT_EQ(entries(folder_.path()), 3) << "no b-values beside another scan";
}

TEST_F(StagedFilesTest, BesideAScanComeBackWhenTheRunWasKilledBeforeTheScan) {
  inADeadRun([&] {
    auto* const files = new StagedFiles(StagedFiles::scan(folder_ / "s.nii", {folder_ / "s.json"}, true));
    writeBytes(files->file("s.nii"), "new");
    writeBytes(files->file("s.json"), "new");
    const fs::path left = files->file("s.nii").parent_path().parent_path();
    fs::create_directory(left / "old");
    writeBytes(left / "old" / "s.json", "old");
  });
  writeBytes(folder_ / "s.nii", "old");
  EXPECT_THROW(StagedFiles::scan(folder_ / "s.nii", {folder_ / "s.json"}, false), Error);
  EXPECT_EQ(readBytes(folder_ / "s.nii"), "old");
  EXPECT_EQ(readBytes(folder_ / "s.json"), "old");
  EXPECT_EQ(entries(folder_.path()), 2);
}

TEST_F(StagedFilesTest, BesideAScanStayThoseOfAnotherScan) {
  const auto scan = [&](bool overwrite) {
    StagedFiles::scan(folder_ / "s.mha", {folder_ / "s.json", folder_ / "s.bval"}, overwrite);
  };
  writeBytes(folder_ / "s.bval", "theirs");
  for (const bool overwrite : {false, true})
    expectError([&] { scan(overwrite); }, {"s.bval' exists already", "belongs to no 's.mha'"});
  writeBytes(folder_ / "other.nii", "");
  writeBytes(folder_ / "s.md", "");
  writeBytes(folder_ / "s.mha", "old");
  EXPECT_NO_THROW(scan(true)) << "they are its own";
  for (const char* name : {"s.nii.gz", "s.NII", "s.hdr", "s.mgz"}) {
    writeBytes(folder_ / name, "theirs");
    for (int times = 0; times < 2; ++times) {  // once with an old s.mha and once without
      expectError([&] { scan(true); }, {"s.bval' exists already", name});
      fs::remove(folder_ / "s.mha");
    }
    EXPECT_EQ(readBytes(folder_ / "s.bval"), "theirs");
    fs::remove(folder_ / name);
    writeBytes(folder_ / "s.mha", "old");
  }
  fs::remove(folder_ / "s.bval");
  writeBytes(folder_ / "s.nii.gz", "theirs");
  EXPECT_NO_THROW(scan(true)) << "nothing of it would be lost";
}

TEST_F(StagedFilesTest, TakeNamesWithStarsLiterallyBesideAScan) {
  writeBytes(folder_ / "sab.nii", "old");
  {
    StagedFiles files = StagedFiles::scan(folder_ / "s*.nii", {}, true);
    writeBytes(files.file("s*.nii"), "new");
    files.publish();
  }
  EXPECT_EQ(readBytes(folder_ / "sab.nii"), "old");
  EXPECT_EQ(readBytes(folder_ / "s*.nii"), "new");
}

}  // namespace
}  // namespace sulcus::io
