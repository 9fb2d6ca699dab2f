#include "core/base/number_list.h"

#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(NumberList, IsPartedByCommasOrBlanks) {
  EXPECT_EQ(numbersIn("1000, 2000 3e3", "shells", ""), (std::vector<double>{1000, 2000, 3000}));
  EXPECT_TRUE(numbersIn(" ,", "shells", "").empty());
  for (const char* list : {"1;2", "x", "1e999", "nan", "-inf"})
    EXPECT_NE(
        test::errorOf([&] { numbersIn(list, "shells", "--shells 1"); }).find("of --shells is not a number"),
        std::string::npos)
        << list;
}

TEST(DroppedVolumes, AreOfTheSeries) {
  EXPECT_EQ(droppedVolumes("3,0,3", 4), (std::set<int>{0, 3}));
  for (const char* list : {"4", "-1", "0.5", "1e300", "99999999999"})
    EXPECT_NE(test::errorOf([&] { droppedVolumes(list, 4); }).find("the series has volumes 0 to 3"),
              std::string::npos)
        << list;
  EXPECT_EQ(droppedNote({0, 3}, 4), "2 volumes of 4 left out as asked (0,3, counted from 0).");
  EXPECT_EQ(droppedNote({}, 4), "");
}

}  // namespace
}  // namespace sulcus
