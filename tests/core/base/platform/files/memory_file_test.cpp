#include "core/base/platform/files/memory_file.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(MemoryFile, IsReadByItsPathAndNowhereAfterwards) {
  const std::string bytes(100'000, 'a');
  std::filesystem::path path;
  {
    const MemoryFile file("a scan", bytes);
    path = file.path();
    std::ifstream stream(path, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), bytes);
    EXPECT_TRUE(std::filesystem::is_regular_file(path)) << "readers of files take it for one";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace sulcus
