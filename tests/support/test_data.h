#pragma once

#include <cstdlib>
#include <filesystem>

namespace sulcus::test {

/// The folder of real scans: $SULCUS_TEST_DATA, or shared/data next to the project. Tests run in the
/// project's folder.
inline std::filesystem::path testDataFolder() {
  if (const char* const given = std::getenv("SULCUS_TEST_DATA")) return given;
  return "../shared/data";
}

}  // namespace sulcus::test

/// Defines `file` as a real scan, or skips the test visibly when there is none.
#define SULCUS_REAL_FILE(file, name)                                            \
  const std::filesystem::path file = ::sulcus::test::testDataFolder() / (name); \
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no real scan " << file << "; set SULCUS_TEST_DATA"
