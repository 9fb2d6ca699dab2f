#include "core/base/options.h"

#include "tests/support/expect_error.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus {
namespace {

enum class Taste { sweet, sour };

struct Recipe {
  bool hot = true;
  int eggs = 3;
  double litres = 0.5;
  Taste taste = Taste::sour;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(hot, toggleOption("hot", "Hot", "Served hot."));
    visit(eggs, numberOption("eggs", "Eggs", "", {0, 12, 1}, "How many."));
    visit(litres, numberOption("litres", "Milk", "l", {0, 2, 0.1}, "How much."));
    visit(taste, choiceOption("taste", "Taste", {"sweet", "sour"}, "Which."));
  }
};

void expectRefused(const OptionValues& values, const std::string& words) {
  test::expectError([&] { optionsFrom<Recipe>(values); }, {words}, ErrorKind::usage);
}

TEST(Options, DescriptionHasTypesAndDefaults) {
  const auto infos = describeOptions<Recipe>();

  ASSERT_EQ(infos.size(), 4u);
  EXPECT_EQ(std::get<bool>(infos[0].defaultValue), true);
  EXPECT_EQ(std::get<std::int64_t>(infos[1].defaultValue), 3);
  EXPECT_DOUBLE_EQ(std::get<double>(infos[2].defaultValue), 0.5);
  EXPECT_EQ(std::get<std::string>(infos[3].defaultValue), "sour");
}

TEST(Options, ValuesMakeTheRoundTrip) {
  Recipe recipe;
  recipe.hot = false, recipe.eggs = 7, recipe.litres = 1.25, recipe.taste = Taste::sweet;

  const Recipe again = optionsFrom<Recipe>(optionValues(recipe));

  EXPECT_EQ(again.hot, false);
  EXPECT_EQ(again.eggs, 7);
  EXPECT_EQ(again.litres, 1.25);
  EXPECT_EQ(again.taste, Taste::sweet);
}

TEST(Options, ParsingReadsEveryType) {
  const auto infos = describeOptions<Recipe>();

  EXPECT_EQ(std::get<bool>(parseOption(infos[0], "off")), false);
  EXPECT_EQ(std::get<std::int64_t>(parseOption(infos[1], "12")), 12);
  EXPECT_EQ(std::get<double>(parseOption(infos[2], "1e-1")), 0.1);
  EXPECT_EQ(std::get<std::string>(parseOption(infos[3], "sweet")), "sweet");
}

TEST(Options, WrongValuesAreRefusedWithWhatWouldBeRight) {
  expectRefused({{"eggs", std::int64_t(13)}}, "whole number from 0 to 12");
  expectRefused({{"eggs", 2.5}}, "2.5");
  expectRefused({{"taste", std::string("bitter")}}, "sweet sour");
  expectRefused({{"salt", true}}, "Unknown parameter 'salt'");
  expectRefused({{"litres", std::nan("")}}, "from 0 to 2 l");
  for (const char* text : {"", "3x", "nan", "1e400", "--"})
    EXPECT_THROW(parseOption(describeOptions<Recipe>()[1], text), Error) << text;
}

TEST(Options, ANumberMayHaveNoUpperBound) {
  OptionInfo info =
      numberOption("size", "Size", "mm", {0, std::numeric_limits<double>::infinity(), 0}, "How large.");
  info.defaultValue = 0.0;
  EXPECT_EQ(parseOption(info, "1e300"), OptionValue(1e300));
  for (const char* text : {"inf", "nan", "-1"})
    EXPECT_THAT(test::errorOf([&] { parseOption(info, text); }),
                ::testing::EndsWith("a number of at least 0 mm"))
        << text;
}

TEST(Options, LongTextsAreRepeatedShortly) {
  const OptionValues values{{"taste", std::string(100000, 'x')}};
  expectRefused(values, "xxx");
  EXPECT_LT(test::errorOf([&] { optionsFrom<Recipe>(values); }).size(), 200u);
}

}  // namespace
}  // namespace sulcus
