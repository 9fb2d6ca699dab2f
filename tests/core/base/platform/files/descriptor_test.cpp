#include "core/base/platform/files/descriptor.h"

#include "tests/support/temporary_folder.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class Descriptor : public testing::Test {
 protected:
  fs::path freshPath(const std::string& name) const { return folder_.path() / name; }
  const test::TemporaryFolder folder_;
};

TEST_F(Descriptor, WritesInOrderAndInPlaces) {
  const fs::path path = freshPath("written");
  const int file = openToWrite(path);
  ASSERT_GE(file, 0);
  EXPECT_EQ(writeAll(file, std::string("hallo ")), 0);
  EXPECT_EQ(writeAll(file, std::string("world\n")), 0);
  EXPECT_EQ(writeAllAt(file, std::string("e"), 1), 0);
  EXPECT_EQ(flushToDisk(file), 0);
  EXPECT_EQ(closeDescriptor(file), 0);
  EXPECT_EQ(textOf(path), "hello world\n") << "a line end is one byte on every system";
  const int again = openToWrite(path);
  closeDescriptor(again);
  EXPECT_EQ(textOf(path), "") << "what is opened for writing is emptied";
}

TEST_F(Descriptor, ReadsAsManyBytesAsThereAre) {
  const fs::path path = freshPath("read");
  std::ofstream(path, std::ios::binary) << "0123\n\x1a\r\n89";
  const int file = openToRead(path);
  std::string text(20, '-');
  EXPECT_EQ(readAt(file, std::span(text), 2), 8);
  EXPECT_EQ(text.substr(0, 9), "23\n\x1a\r\n89-");
  EXPECT_EQ(readAt(file, std::span(text), 10), 0);
  closeDescriptor(file);
  EXPECT_EQ(readAt(-1, std::span(text), 0), -1);
}

TEST_F(Descriptor, OpensANewFileOnlyWhereNothingIs) {
  const fs::path path = freshPath("new");
  const int file = openNew(path);
  ASSERT_GE(file, 0);
  EXPECT_EQ(openNew(path), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(writeAll(file, std::string("text")), 0);
  EXPECT_EQ(emptyFile(file), 0);
  EXPECT_EQ(statusOf(file)->bytes, 0u);
  closeDescriptor(file);
}

TEST_F(Descriptor, DistinguishesFilesFromFoldersAndFromOthers) {
  const fs::path path = freshPath("file");
  std::ofstream(path) << "abc";
  const auto file = statusOf(path), folder = statusOf(path.parent_path());
  ASSERT_TRUE(file && folder);
  EXPECT_EQ(file->kind, FileStatus::Kind::file);
  EXPECT_EQ(file->bytes, 3u);
  EXPECT_TRUE(file->isOwn);
  EXPECT_EQ(folder->kind, FileStatus::Kind::folder);
  EXPECT_EQ(folder->device, file->device);
  EXPECT_NE(folder->number, file->number);
  EXPECT_FALSE(statusOf(path / "none"));
  EXPECT_FALSE(statusOf(-1));
}

TEST_F(Descriptor, FollowsALinkOrRefusesIt) {
  const fs::path path = freshPath("target"), link = freshPath("link");
  std::ofstream(path) << "abc";
  std::error_code none;
  fs::create_symlink(path, link, none);
  if (none) GTEST_SKIP() << "this account may make no links";
  EXPECT_EQ(openToRead(link, Links::refused), -1);
  EXPECT_EQ(openToWrite(link, Links::refused), -1);
  EXPECT_EQ(statusOf(link)->kind, FileStatus::Kind::file);
  EXPECT_EQ(statusOf(link, Links::refused)->kind, FileStatus::Kind::other);
  const int file = openToRead(link);
  EXPECT_TRUE(isStillAt(file, path));
  EXPECT_FALSE(isStillAt(file, link)) << "the link is another file";
  closeDescriptor(file);
}

TEST_F(Descriptor, KnowsWhenAnotherFileTookThePlace) {
  const fs::path path = freshPath("place"), other = freshPath("other");
  std::ofstream(path) << "one";
  std::ofstream(other) << "two";
  const int file = openToRead(path);
  EXPECT_TRUE(isStillAt(file, path));
  fs::rename(other, path);
  EXPECT_FALSE(isStillAt(file, path));
  fs::remove(path);
  EXPECT_FALSE(isStillAt(file, path));
  closeDescriptor(file);
}

TEST_F(Descriptor, FlushesFilesAndFolders) {
  const fs::path path = freshPath("flushed");
  std::ofstream(path) << "abc";
  EXPECT_EQ(flushToDisk(path), 0);
  EXPECT_EQ(flushToDisk(path.parent_path()), 0);
  EXPECT_EQ(flushToDisk(path.parent_path() / "none"), ENOENT);
}

}  // namespace
}  // namespace sulcus
