#include "core/io/streams/byte_source.h"

#include "core/base/platform/memory/host_memory.h"
#include "tests/core/io/io_test_support.h"

#include <sys/stat.h>
#include <unistd.h>

namespace sulcus::io {
namespace {

using namespace test;

/// The functions by which files are opened.
void expectRefused(const std::filesystem::path& file, const std::vector<std::string>& words) {
  expectError([&] { openData(file); }, words);
  expectError([&] { ByteSource source(file); }, words);
  expectError([&] { openText(file); }, words);
  expectError([&] { requireReadable(file); }, words);
  expectError([&] { io::sha256OfFile(file); }, words);
  expectError([&] { holdsMesh(file); }, words);
  expectError([&] { openOptions(file); }, words);
}

TEST(Gate, TakesOrdinaryFilesOnly) {
  TemporaryFolder folder;
  expectRefused(folder / "none", {"There is no file 'none'", "check the path"});
  writeBytes(folder / "text", "1 2 3");
  expectRefused(folder / "text" / "below", {"There is no file 'below'"});
  expectRefused(folder.path(), {"is a folder"});
  expectRefused("/dev/zero", {"'zero' is not a regular file"});
  expectRefused("/dev/tty", {"'tty'"});
  writeBytes(folder / "empty", "");
  expectRefused(folder / "empty", {"'empty' is empty"});
  std::filesystem::create_symlink("loop", folder / "loop");
  expectRefused(folder / "loop", {"Cannot read 'loop'", "symbolic links"});
}

TEST(Gate, NeitherWaitsForAPipeNorTakesFromIt) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  expectRefused(folder / "pipe", {"'pipe' is not a regular file"});
  std::filesystem::create_symlink("pipe", folder / "link");
  expectRefused(folder / "link", {"'link' is not a regular file"});
}

TEST(Gate, SaysWhatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  TemporaryFolder folder;
  writeBytes(folder / "secret", "1 2 3");
  std::filesystem::permissions(folder / "secret", std::filesystem::perms::none);
  expectRefused(folder / "secret", {"Cannot read 'secret'", "Permission denied", "ask for permission"});
}

TEST(DataFile, ReadsAtAnyPosition) {
  TemporaryFolder folder;
  writeBytes(folder / "f", "0123456789");
  const DataFile data = openData(folder / "f");
  EXPECT_EQ(data.size(), 10u);
  std::string three(3, ' ');
  data.read(4, three);
  EXPECT_EQ(three, "456");
  EXPECT_EQ(data.readSome(8, three), 2u);
  EXPECT_EQ(three, "896");
  EXPECT_EQ(data.readSome(100, three), 0u);
  expectError([&] { data.read(8, three); }, {"'f' ends too early"});
}

TEST(ByteSource, SkipsLines) {
  TemporaryFolder folder;
  writeBytes(folder / "f", "one\n\nthree\nfour");
  ByteSource source(folder / "f");
  source.skipLines(2, {});
  std::string word(5, ' ');
  source.read(word);
  EXPECT_EQ(word, "three");
  source.skipLines(1, {});
  EXPECT_EQ(source.position(), 11u);
  expectError([&] { source.skipLines(1, {}); }, {"'f' ends too early"});
}

TEST(ByteSource, SkippingWhatASmallFileUnpacksToCanBeCancelled) {
  TemporaryFolder folder;
  writeGzip(folder / "f", std::string(1'000'000, '\n'));
  std::stop_source stop;
  const Progress progress(stop.get_token(), {});
  ByteSource lines(folder / "f"), bytes(folder / "f");
  stop.request_stop();
  EXPECT_THROW(lines.skipLines(500'000, progress), Cancelled);
  EXPECT_THROW(bytes.skipTo(500'000, progress), Cancelled);
}

TEST(RequireMemory, ComparesWithWhatIsFree) {
  EXPECT_NO_THROW(requireMemory(1'000'000, std::string("'scan'")));
  const auto more = std::uint64_t(1.5 * freeHostMemory());
  if (more == 0) GTEST_SKIP() << "the system does not say";
  expectError([&] { requireMemory(more, std::filesystem::path("folder/scan.nii")); },
              {"'scan.nii' does not fit into memory", "are free", "close other scans"},
              ErrorKind::unavailable);
}

TEST(Quoted, IsPrintableAndShort) {
  EXPECT_EQ(quoted("a/b/scan.nii"), "'scan.nii'");
  EXPECT_EQ(quoted("a/\x1b[31mred.nii"), "'\\x1b[31mred.nii'");
  EXPECT_LT(io::quoted(std::string(255, 'a')).size(), 120u);
  EXPECT_EQ(quotedPath("a/b\n/scan.nii"), "'a/b\\x0a/scan.nii'");
}

}  // namespace
}  // namespace sulcus::io
