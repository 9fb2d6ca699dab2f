#include "core/io/streams/data_file.h"

#include "core/io/surfaces/mesh_files.h"
#include "tests/core/io/io_test_support.h"

#include <sys/stat.h>

// Tests dataFileBeside(), which is used by all formats whose headers name another file for the data.
namespace sulcus::io {
namespace {

using namespace test;
namespace fs = std::filesystem;

class DataFileBeside : public testing::Test {
 protected:
  DataFileBeside() {
    fs::create_directories(folder_ / "scans" / "below");
    writeBytes(folder_ / "secret.raw", "secret");
    writeBytes(header_, "header");
    for (const char* const name : {"a.raw", "a b.raw", "below/a.raw"})
      writeBytes(folder_ / "scans" / name, "numbers");
  }
  fs::path found(const std::string& name) { return dataFileBeside(header_, name); }
  void expectRefused(const std::string& name, const std::string& why) {
    SCOPED_TRACE(name);
    expectError([&] { found(name); }, {why});
  }
  TemporaryFolder folder_;
  fs::path header_ = folder_ / "scans" / "a.nhdr";
};

TEST_F(DataFileBeside, TakesFilesBesideAndBelow) {
  for (const char* const name : {"a.raw", "./a.raw", "a b.raw", "below/a.raw"})
    EXPECT_EQ(readBytes(found(name)), "numbers") << name;
  fs::create_symlink("a.raw", folder_ / "scans" / "link.raw");
  EXPECT_EQ(readBytes(found("link.raw")), "numbers");
  fs::create_directory_symlink("scans", folder_ / "alias");
  EXPECT_EQ(readBytes(dataFileBeside(folder_ / "alias" / "a.nhdr", "a.raw")), "numbers");
}

TEST_F(DataFileBeside, RefusesFilesElsewhere) {
  for (const std::string name :
       {"/etc/passwd", "../secret.raw", "below/../../secret.raw", "below/../a.raw", "", "/dev/zero"})
    expectRefused(name, "one file next to it");
  expectRefused((folder_ / "scans" / "a.raw").string(), "one file next to it");
  fs::create_symlink("../secret.raw", folder_ / "scans" / "out.raw");
  expectRefused("out.raw", "one file next to it");
  fs::create_directory_symlink("..", folder_ / "scans" / "up");
  expectRefused("up/secret.raw", "one file next to it");
  fs::create_symlink("/dev/zero", folder_ / "scans" / "zero.raw");
  expectRefused("zero.raw", "not a regular file");
}

TEST_F(DataFileBeside, TakesContentsOfTheAnnexThatHoldsTheHeader) {
  const auto intoAnnex = [&](const std::string& name, const std::string& annex) {
    const std::string key = "MD5E-s7--" + name;
    const fs::path content = folder_ / annex / "aa" / "bb" / key / key;
    fs::create_directories(content.parent_path());
    fs::rename(folder_ / "scans" / name, content);
    fs::create_symlink(fs::path("..") / annex / "aa" / "bb" / key / key, folder_ / "scans" / name);
  };
  intoAnnex("a.raw", "objects");
  expectRefused("a.raw", "one file next to it");  // since the header is not its content
  intoAnnex("a.nhdr", "objects");
  EXPECT_EQ(readBytes(found("a.raw")), "numbers");
  intoAnnex("a b.raw", "others");
  expectRefused("a b.raw", "one file next to it");
  fs::create_symlink("../objects/aa/bb/none/none", folder_ / "scans" / "gone.raw");
  expectRefused("gone.raw", "is not here");
}

TEST_F(DataFileBeside, RefusesWhatIsNoFile) {
  expectRefused("none.raw", "does not exist");
  expectRefused("below", "that is a folder");
  expectRefused("a.nhdr", "the header itself");
  ASSERT_EQ(mkfifo((folder_ / "scans" / "pipe.raw").c_str(), 0600), 0);
  expectRefused("pipe.raw", "not a regular file");
  fs::create_symlink("loop.raw", folder_ / "scans" / "loop.raw");
  EXPECT_THROW(found("loop.raw"), Error);
}

TEST_F(DataFileBeside, FaultsNameTheHeaderAndTheFileAsWritten) {
  std::string deep = "a/";
  while (deep.size() < 6000) deep += deep;
  const std::vector<std::string> names{"./none.raw", "below", ".", "below/", std::string(300, 'x'), deep};
  for (const std::string& name : names) expectError([&] { found(name); }, {"a.nhdr", quotedWord(name)});
}

}  // namespace
}  // namespace sulcus::io
