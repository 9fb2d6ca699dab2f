#include "core/io/streams/atomic_file.h"

#include "tests/core/io/dicom/dead_run.h"
#include "tests/core/io/io_test_support.h"
#include "tests/core/io/special_files.h"

#include <csignal>

#include <sys/resource.h>

namespace sulcus::io {
namespace {

using namespace test;
namespace fs = std::filesystem;

long entriesOf(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), {}); }

TEST(AtomicFile, AppearsWhenCommitted) {
  TemporaryFolder folder;
  {
    AtomicFile file(folder / "a.txt", false);
    file.write("a longer text");
    file.write("text");
    EXPECT_FALSE(fs::exists(folder / "a.txt"));
    file.commit();
    EXPECT_EQ(readBytes(folder / "a.txt"), "text") << "the whole content is what was written last";
    AtomicFile never(folder / "b.txt", false);
    never.write("b");
  }
  EXPECT_EQ(entriesOf(folder.path()), 1);
}

TEST(AtomicFile, DoesNotReplaceWhatAppearedMeanwhile) {
  TemporaryFolder folder;
  AtomicFile file(folder / "a.txt", false);
  writeBytes(folder / "a.txt", "theirs");
  file.write("mine");
  expectError([&] { file.commit(); }, {"a.txt' exists already"});
  EXPECT_EQ(readBytes(folder / "a.txt"), "theirs");
}

TEST(AtomicFile, RemovesWhatADeadRunLeft) {
  TemporaryFolder folder;
  const std::string longName(230, 'n');
  for (const auto& name : {std::string("a.txt"), longName}) {
    inADeadRun([&] { (new AtomicFile(folder / name, false))->write("half"); });
    inADeadRun([&] { (new AtomicFile(folder / name, false))->write("half"); });
    EXPECT_EQ(entriesOf(folder.path()), 1) << "the second run has removed what the first one left";
    writeFile(folder / name, "whole");
    EXPECT_EQ(entriesOf(folder.path()), 1);
    EXPECT_EQ(readBytes(folder / name), "whole");
    fs::remove(folder / name);
  }
}

TEST(AtomicFile, LeavesWhatIsInUseOrOfOthers) {
  TemporaryFolder folder;
  AtomicFile file(folder / "a.txt", true);
  file.write("first");
  std::string name = file.temporary().filename();
  const std::string host = name.substr(0, std::string(".part-01234567-").size());
  for (const std::string& other : {std::string(".part-00000000-1-0-a.txt"), host + "1-0-b.txt",
                                   host + "1-0-b-a.txt", host + "1-a.txt", host + "x-0-a.txt"})
    writeBytes(folder / other, "theirs");
  fs::create_directory(folder / (host + "1-0-a.txt"));
  fs::create_symlink(folder / (host + "1-0-b.txt"), folder / (host + "2-0-a.txt"));
  writeFile(folder / "a.txt", "second", true);
  EXPECT_EQ(entriesOf(folder.path()), 9) << "nothing of it is removed";
  file.commit();
  EXPECT_EQ(readBytes(folder / "a.txt"), "first");
}

TEST(AtomicFile, SaysThatAFileBecameTooLarge) {
  TemporaryFolder folder;
  const auto write = [&] {
    signal(SIGXFSZ, SIG_IGN);  // as the programs do
    const rlimit limit{1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      writeFile(folder / "a.txt", std::string(1 << 17, 'a'));
    } catch (const Error& error) {
      _exit(std::string(error.what()).find("Cannot write 'a.txt' (File too large)") == 0 ? 7 : 8);
    }
    _exit(9);
  };
  EXPECT_EXIT(write(), testing::ExitedWithCode(7), "");
  EXPECT_EQ(entriesOf(folder.path()), 0);
}

TEST(AtomicFile, SaysWhatIsInItsWay) {
  TemporaryFolder folder;
  fs::create_directory(folder / "a.txt");
  expectError([&] { writeFile(folder / "a.txt", "", true); }, {"a.txt' is a folder"});
  expectError([&] { writeFile(folder / "none" / "a.txt", ""); }, {"Cannot write 'a.txt'", "make the folder"});
  expectError([&] { writeFile("/proc/a.txt", ""); }, {"Cannot write 'a.txt'"});
}

TEST(AtomicFile, ReplacesOrdinaryFilesOnly) {
  TemporaryFolder folder;
  for (const auto& special : specialFilesIn(folder.path()))
    for (const bool overwrite : {false, true}) {
      const long before = entriesOf(folder.path());
      const auto kind = fs::symlink_status(special).type();
      expectError([&] { writeFile(special, "text", overwrite); },
                  {special.filename().string() + "' is not a regular file", "device, pipe or socket"});
      EXPECT_EQ(fs::symlink_status(special).type(), kind) << special;
      EXPECT_EQ(entriesOf(folder.path()), before);
    }
  AtomicFile file(folder / "meanwhile.txt", true);
  mkfifo((folder / "meanwhile.txt").c_str(), 0600);
  expectError([&] { file.commit(); }, {"meanwhile.txt' is not a regular file"});
  EXPECT_TRUE(fs::is_fifo(folder / "meanwhile.txt"));
}

TEST(AtomicFile, ReplacesALinkAndNotWhatItNames) {
  TemporaryFolder folder;
  writeBytes(folder / "a.txt", "theirs");
  for (const char* target : {"a.txt", "nowhere"}) {
    fs::create_symlink(target, folder / "link");
    expectError([&] { writeFile(folder / "link", "mine"); }, {"link' exists already"});
    writeFile(folder / "link", "mine", true);
    EXPECT_EQ(fs::symlink_status(folder / "link").type(), fs::file_type::regular);
    EXPECT_EQ(readBytes(folder / "link"), "mine");
    fs::remove(folder / "link");
  }
  EXPECT_EQ(readBytes(folder / "a.txt"), "theirs");
  EXPECT_EQ(entriesOf(folder.path()), 1);
}

TEST(AtomicFile, NeedsAName) {
  TemporaryFolder folder;
  for (const bool overwrite : {false, true}) {
    expectError([&] { writeFile(folder / "none" / "", "", overwrite); }, {"none/' names no file"});
    expectError([&] { writeFile("", "", overwrite); }, {"'' names no file"});
  }
}

}  // namespace
}  // namespace sulcus::io
