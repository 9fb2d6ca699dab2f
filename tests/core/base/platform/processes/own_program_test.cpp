#include "core/base/platform/processes/own_program.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(OwnProgram, IsTheExecutable) {
  EXPECT_EQ(ownProgram().filename(), "core_base_tests");
  EXPECT_TRUE(std::filesystem::exists(ownProgram()));
}

TEST(OwnProgram, IsTheScriptThatStartedIt) {
  setenv("SULCUS_PROGRAM", "/a place/bin/sulcus", 1);
  EXPECT_EQ(ownProgram(), "/a place/bin/sulcus");
  setenv("SULCUS_PROGRAM", "", 1);
  EXPECT_EQ(ownProgram().filename(), "core_base_tests");
  unsetenv("SULCUS_PROGRAM");
}

}  // namespace
}  // namespace sulcus
