#include "core/base/folder_entries.h"

#include "tests/support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>

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

TEST(FolderEntries, OfWhatIsNoFolderAreAnErrorOrNone) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "1";
  for (const char* name : {"none", "file"}) {
    EXPECT_THROW(folderEntries(folder.path() / name), fs::filesystem_error);
    EXPECT_THAT(folderEntriesIfAny(folder.path() / name), IsEmpty());
  }
}

}  // namespace
}  // namespace sulcus
