#include "core/base/sentence.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Text, HasItsPartsAndNumbersWithThreeDigits) {
  EXPECT_EQ(text("J is ", 0.123456, " in ", 12345, " voxels"), "J is 0.123 in 12345 voxels");
}

TEST(Joined, HasTheSeparatorBetweenWordsOnly) {
  EXPECT_EQ(joined(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(joined(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(joined(std::set<std::string>{"a", "b", "c"}, "; "), "a; b; c");
}

TEST(Counted, HasTheNounOfOneOrOfSeveral) {
  EXPECT_EQ(counted(1, "edge"), "1 edge");
  EXPECT_EQ(counted(0, "edge"), "0 edges");
  EXPECT_EQ(counted(2, "cavity", "cavities"), "2 cavities");
}

}  // namespace
}  // namespace sulcus
