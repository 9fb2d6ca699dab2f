#include "core/base/platform/memory/scratch_memory.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

constexpr std::size_t kBytes = std::size_t(9) << 20;

/// Restores the folder for temporary files for the following tests.
class ScratchMemory : public testing::Test {
 protected:
  void TearDown() override { isSet_ ? setenv("TMPDIR", before_.c_str(), 1) : unsetenv("TMPDIR"); }

 private:
  const bool isSet_ = std::getenv("TMPDIR") != nullptr;
  const std::string before_ = isSet_ ? std::getenv("TMPDIR") : "";
};

TEST_F(ScratchMemory, HoldsWhatIsWrittenAndLeavesNoFile) {
  const test::TemporaryFolder folder;
  setenv("TMPDIR", folder.path().c_str(), 1);
  if (scratchRoom() == 0) GTEST_SKIP() << "temporary files lie in memory here";
  auto* const memory = static_cast<unsigned char*>(takeScratch(kBytes));
  ASSERT_TRUE(memory);
  EXPECT_TRUE(std::all_of(memory, memory + kBytes, [](unsigned char c) { return c == 0; }));
  for (std::size_t i = 0; i < kBytes; ++i) memory[i] = static_cast<unsigned char>(i % 251);
  auto* const other = static_cast<unsigned char*>(takeScratch(kBytes));
  ASSERT_TRUE(other);
  other[0] = 7;
  EXPECT_TRUE(isScratch(memory) && isScratch(other));
  EXPECT_EQ(memory[kBytes - 1], (kBytes - 1) % 251);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_TRUE(giveScratchBack(memory));
  EXPECT_EQ(other[0], 7);
  EXPECT_TRUE(giveScratchBack(other));
  EXPECT_FALSE(giveScratchBack(other)) << "it is not scratch any more";
  EXPECT_FALSE(isScratch(other) || isScratch(folder.path().c_str()));
}

TEST_F(ScratchMemory, IsRefusedWhereThereIsNoRoomOrNoFolder) {
  EXPECT_FALSE(takeScratch(std::size_t(1) << 60));
  EXPECT_FALSE(takeScratch(0));
  setenv("TMPDIR", "/nowhere", 1);
  EXPECT_EQ(scratchRoom(), 0u);
  EXPECT_FALSE(takeScratch(kBytes));
  int here = 0;
  EXPECT_FALSE(giveScratchBack(&here));
  EXPECT_FALSE(giveScratchBack(nullptr));
}

TEST_F(ScratchMemory, IsForWhatIsLargerThanWhatIsFree) {
  EXPECT_FALSE(exceedsMemory(kBytes));
  EXPECT_TRUE(exceedsMemory(std::size_t(1) << 50));
}

}  // namespace
}  // namespace sulcus
