#include "core/base/platform/files/file_places.h"

#include "tests/support/temporary_folder.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

namespace fs = std::filesystem;

class FilePlaces : public testing::Test {
 protected:
  void write(const fs::path& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const fs::path& name) {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  const test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(FilePlaces, AreTakenOnlyWhereThatWasAsked) {
  write("one", "1");
  write("two", "2");
  EXPECT_EQ(renameTo(folder_ / "one", folder_ / "two", false), EEXIST);
  EXPECT_EQ(read("two"), "2");
  EXPECT_EQ(renameTo(folder_ / "one", folder_ / "two", true), 0);
  EXPECT_EQ(read("two"), "1");
  EXPECT_EQ(renameTo(folder_ / "two", folder_ / "three", false), 0);
  EXPECT_EQ(read("three"), "1");
  EXPECT_EQ(renameTo(folder_ / "two", folder_ / "four", false), ENOENT);
}

TEST_F(FilePlaces, OfFoldersAreExchangedOrLeft) {
  write("one/file", "1");
  write("two/file", "2");
  const bool can = exchangePlaces(folder_ / "one", folder_ / "two") == 0;
  EXPECT_EQ(read("one/file"), can ? "2" : "1");
  EXPECT_EQ(read("two/file"), can ? "1" : "2");
  EXPECT_NE(exchangePlaces(folder_ / "one", folder_ / "none"), 0);
}

TEST_F(FilePlaces, AreFoldersIntoWhichThisProcessMayWrite) {
  EXPECT_EQ(writableFolder(folder_), 0);
  EXPECT_EQ(writableFolder(folder_ / "none"), ENOENT);
}

TEST_F(FilePlaces, HoldNoProgramWhereNothingIs) { EXPECT_FALSE(isProgram(folder_ / "none")); }

}  // namespace
}  // namespace sulcus
