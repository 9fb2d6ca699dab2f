#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace sulcus::test {

/// The folder of real scans: $SULCUS_TEST_DATA, or shared/data beside the project. Tests run in the project's
/// folder.
inline std::filesystem::path testDataFolder() {
  if (const char* const given = std::getenv("SULCUS_TEST_DATA")) return given;
  return "../shared/data";
}

/// A folder of its own that disappears with the object.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sulcus-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace sulcus::test

/// Defines `file` as a real scan, or skips the test visibly when there is none.
#define SULCUS_REAL_FILE(file, name)                                            \
  const std::filesystem::path file = ::sulcus::test::testDataFolder() / (name); \
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no real scan " << file << "; set SULCUS_TEST_DATA"
