#include "core/io/streams/memory_file.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

TEST(MemoryFile, IsReadByItsPathAndNowhereAfterwards) {
  const std::string scan = Nifti1().countingFile();
  std::filesystem::path path;
  {
    const MemoryFile file("a scan", scan);
    path = file.path();
    EXPECT_EQ(readBytes(path), scan);
    EXPECT_EQ(openVolumes(path, {}).size(), 1u) << "what lies in memory is opened as any other scan";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace sulcus::io
