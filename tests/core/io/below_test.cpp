#include "core/io/below.h"

#include <gtest/gtest.h>

namespace sulcus::io {
namespace {

TEST(NameBelow, StaysInItsFolder) {
  for (const char* name : {"a", "a/b.nii", "./a", "..a", "a..b"}) EXPECT_TRUE(isNameBelow(name)) << name;
  for (const char* name : {"", "/a", "..", "../a", "a/../../b"}) EXPECT_FALSE(isNameBelow(name)) << name;
#ifdef _WIN32
  for (const char* name : {"C:a", "\\a", "a\\..\\..\\b", "a.nii:stream"})
    EXPECT_FALSE(isNameBelow(name)) << name;
#endif
}

}  // namespace
}  // namespace sulcus::io
