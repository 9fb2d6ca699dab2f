#include "core/base/json_text.h"

#include <limits>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(JsonText, TextsAreQuotedAndNumbersFinite) {
  EXPECT_EQ(jsonString("a \"b\" \\ \n"), "\"a \\\"b\\\" \\\\  \"");
  EXPECT_EQ(jsonNumber(0.1), "0.1");
  EXPECT_EQ(jsonNumber(std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonText, MembersAndValuesAreOnOneLineOrEachOnItsOwn) {
  EXPECT_EQ(JsonObject(0).done(), "{}");
  EXPECT_EQ(JsonObject(0).count("n", 3).text("name", "a").done(), "{\"n\": 3, \"name\": \"a\"}");
  EXPECT_EQ(JsonObject().number("x", 1.5).raw("list", jsonList({"1", "2"})).done(),
            "{\n  \"x\": 1.5,\n  \"list\": [1, 2]\n}");
  EXPECT_EQ(jsonList({"1", "2"}, 4), "[\n    1,\n    2\n  ]");
  EXPECT_EQ(jsonList({}, 4), "[]");
}

}  // namespace
}  // namespace sulcus
