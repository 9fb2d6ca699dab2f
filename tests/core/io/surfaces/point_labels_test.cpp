#include "core/io/surfaces/point_labels.h"

#include "tests/core/io/io_test_support.h"

#include <cmath>
#include <numeric>

namespace sulcus::io {
namespace {

using namespace test;

constexpr Label kLarge = 9'007'199'254'740'993;  // 2^53 + 1, which a double cannot represent

TEST(PointLabels, ThatFloatsHoldStayAsTheyAre) {
  LabelTable table{{3, {"front", {}}}};
  const auto values = pointLabels({3, -1, 0, kGreatestPointLabel, kNoLabel}, table, "atlas");
  EXPECT_EQ(std::vector<float>(values.begin(), values.end() - 1), (std::vector<float>{3, -1, 0, 16777216}));
  EXPECT_TRUE(std::isnan(values.back()));
  EXPECT_EQ(table, (LabelTable{{3, {"front", {}}}}));
}

TEST(PointLabels, ThatFloatsRoundGetFreeSmallNumbersAndKeepTheirNames) {
  LabelTable table{{1, {"root", {}}}, {kLarge, {"V1", {{9, 8, 7}}}}, {-kLarge, {"never met", {}}}};
  const auto values = pointLabels({kLarge, kLarge + 1, 2, kLarge, 1}, table, "atlas");
  const std::set<float> all(values.begin(), values.end());
  EXPECT_EQ(all.size(), 4u) << "2^53 + 1 and 2^53 + 2 are two labels";
  EXPECT_EQ(values[0], values[3]);
  EXPECT_EQ(values[2], 2);
  EXPECT_EQ(values[4], 1);
  EXPECT_EQ(table.at(Label(values[0])), (LabelEntry{"V1 [9007199254740993]", {{9, 8, 7}}}));
  EXPECT_EQ(table.at(Label(values[1])).name, "[9007199254740994]");
  EXPECT_EQ(table.at(1).name, "root");
  EXPECT_FALSE(table.contains(kLarge));
}

TEST(PointLabels, AreRefusedWhereTheyNumberThePoints) {
  std::vector<Label> numbers(100'001);
  std::iota(numbers.begin(), numbers.end(), Label(1) << 40);
  LabelTable table;
  expectError([&] { pointLabels(numbers, table, "ids"); }, {"ids has more labels", "100000"});
}

}  // namespace
}  // namespace sulcus::io
