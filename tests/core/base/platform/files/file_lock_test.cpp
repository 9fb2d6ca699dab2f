#include "core/base/platform/files/file_lock.h"

#include "core/base/platform/files/descriptor.h"
#include "tests/support/temporary_folder.h"

#include <string>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

class FileLock : public testing::Test {
 protected:
  void SetUp() override {
    one_ = openToLock(path_, true), other_ = openToLock(path_, false);
    ASSERT_GE(one_, 0);
    ASSERT_GE(other_, 0);
  }
  void TearDown() override {
    closeDescriptor(one_);
    closeDescriptor(other_);
  }
  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "lock";
  int one_ = -1, other_ = -1;
};

TEST_F(FileLock, IsThatOfOneDescriptorUntilItIsClosed) {
  EXPECT_EQ(tryLock(one_), Lock::taken);
  EXPECT_EQ(tryLock(other_), Lock::others);
  closeDescriptor(one_);
  EXPECT_EQ(awaitLock(other_), Lock::taken);
  one_ = openToLock(path_, false);
  EXPECT_EQ(tryLock(one_), Lock::others);
}

TEST_F(FileLock, OfAByteLeavesTheOthersFree) {
  constexpr std::uint64_t kFar = std::uint64_t(1) << 61;
  EXPECT_EQ(tryLockByte(one_, kFar), Lock::taken);
  EXPECT_EQ(tryLockByte(other_, kFar), Lock::others);
  EXPECT_EQ(tryLockByte(other_, kFar + 1), Lock::taken);
}

TEST_F(FileLock, LeavesTheBytesReadable) {
  EXPECT_EQ(writeAll(one_, std::string("text")), 0);
  EXPECT_EQ(tryLock(one_), Lock::taken);
  std::string text(4, '-');
  EXPECT_EQ(readAt(other_, std::span(text), 0), 4);
  EXPECT_EQ(text, "text");
}

TEST_F(FileLock, IsNotMadeWhereThereIsNoFile) {
  EXPECT_EQ(openToLock(path_.parent_path() / "none", false), -1);
  EXPECT_FALSE(std::filesystem::exists(path_.parent_path() / "none"));
}

}  // namespace
}  // namespace sulcus
