#include "core/activation/design/names.h"

#include <gtest/gtest.h>

namespace sulcus::activation {
namespace {

TEST(FileSafeName, KeepsLettersDigitsAndThreeMarks) {
  EXPECT_EQ(fileSafeName("left-hand_2.5", "x"), "left-hand_2.5");
  EXPECT_EQ(fileSafeName("a / b: (c)", "x"), "a_b_c");
  EXPECT_EQ(fileSafeName("Größe", "x"), "Größe");
  EXPECT_EQ(fileSafeName("\n\"", "x"), "x");
}

TEST(FileSafeName, IsNeitherANumberNorHidden) {
  EXPECT_EQ(fileSafeName("12", "reg"), "reg12");
  EXPECT_EQ(fileSafeName("-1", "reg"), "reg-1");
  EXPECT_EQ(fileSafeName("../up", "reg"), "reg.._up");
  EXPECT_EQ(fileSafeName("", "reg"), "reg");
}

TEST(FileSafeName, IsCutBetweenCharacters) {
  EXPECT_EQ(fileSafeName(std::string(100, 'a'), "x"), std::string(60, 'a'));
  const std::string cut = fileSafeName(std::string(59, 'a') + "ßß", "x");
  EXPECT_EQ(cut, std::string(59, 'a'));
  EXPECT_EQ(fileSafeName(std::string(58, 'a') + "ßß", "x"), std::string(58, 'a') + "ß");
}

TEST(UniqueName, CountsUpWithoutRegardToCase) {
  EXPECT_EQ(uniqueName("a", {"b"}), "a");
  EXPECT_EQ(uniqueName("a", {"A", "a_2"}), "a_3");
}

TEST(Listed, EndsWithTheNumberOfTheRest) {
  EXPECT_EQ(listed({"a", "b"}), "a, b");
  EXPECT_EQ(listed({"a", "b", "c"}, 1), "a and 2 more");
  EXPECT_EQ(listed({}), "");
}

}  // namespace
}  // namespace sulcus::activation
