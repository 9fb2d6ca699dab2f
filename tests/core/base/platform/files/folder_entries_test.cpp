#include "core/base/platform/files/folder_entries.h"

#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>
#include <new>

#include <gmock/gmock.h>

namespace {
thread_local long allocationsLeft = -1;  // that operator new still allows; negative: unlimited
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = allocationsLeft == 0 ? nullptr : std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  if (allocationsLeft > 0) --allocationsLeft;
  return memory;
}
// As in the standard library: the operators below could not free what the address sanitizer's allocates.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
  return operator new(bytes);
} catch (const std::bad_alloc&) {
  return nullptr;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace sulcus {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty, ::testing::UnorderedElementsAre;

TEST(FolderEntries, AreFilesFoldersAndWhatIsHidden) {
  const test::TemporaryFolder folder;
  const fs::path path = folder.path();
  std::ofstream(path / "a.nii") << "1";
  std::ofstream(path / ".hidden") << "1";
  fs::create_directory(path / "below");
  std::ofstream(path / "below" / "b.nii") << "1";
  EXPECT_THAT(folderEntries(path), UnorderedElementsAre(path / "a.nii", path / ".hidden", path / "below"));
  EXPECT_THAT(folderEntriesIfAny(path),
              UnorderedElementsAre(path / "a.nii", path / ".hidden", path / "below"));
  EXPECT_THAT(folderEntries(path / "below"), UnorderedElementsAre(path / "below" / "b.nii"));
}

TEST(FolderEntries, OfWhatIsNotAFolderAreAnErrorOrEmpty) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "1";
  for (const char* name : {"none", "file"}) {
    EXPECT_THROW(folderEntries(folder.path() / name), fs::filesystem_error);
    EXPECT_THAT(folderEntriesIfAny(folder.path() / name), IsEmpty());
  }
}

TEST(FolderEntries, ThrowWhereMemoryRunsOutAtAnyMoment) {
  allocationsLeft = 0;
  try {
    operator delete(operator new(1));
    allocationsLeft = -1;
    GTEST_SKIP() << "Memcheck has put an operator new of its own in place of this one";
  } catch (const std::bad_alloc&) {
    allocationsLeft = -1;
  }
  const test::TemporaryFolder folder;
  for (int i = 0; i < 20; ++i) std::ofstream(folder / ("a file with a long name " + std::to_string(i)));
  long given = 0;
  for (bool whole = false; !whole; ++given) try {
      allocationsLeft = given;
      whole = folderEntries(folder.path()).size() == 20;
      allocationsLeft = -1;
    } catch (const std::bad_alloc&) {
      allocationsLeft = -1;
    }
  EXPECT_GT(given, 20);
}

}  // namespace
}  // namespace sulcus
