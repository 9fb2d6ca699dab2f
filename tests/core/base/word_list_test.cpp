#include "core/base/word_list.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(WordList, HasCommasAndOneWordBeforeTheLast) {
  EXPECT_EQ(wordList({}), "");
  EXPECT_EQ(wordList({"a"}), "a");
  EXPECT_EQ(wordList({"a", "b"}), "a and b");
  EXPECT_EQ(wordList({"a", "b", "c"}, "or"), "a, b or c");
}

}  // namespace
}  // namespace sulcus
