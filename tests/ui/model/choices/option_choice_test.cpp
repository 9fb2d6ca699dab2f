#include "ui/model/choices/option_choice.h"

#include "tests/support/expect_error.h"
#include "tests/ui/rich_analysis.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

struct OptionChoiceTest : testing::Test {
  Analysis analysis = test::fakeAnalysis();
  OptionChoice options{analysis};
};

struct OptionChoiceOfMany : testing::Test {
  Analysis analysis = test::richAnalysis();
  OptionChoice options{analysis};
};

TEST_F(OptionChoiceTest, RefusesWrongOptionsAndKeepsTheOldOnes) {
  EXPECT_THROW(options.set("gain", 1e9), Error);
  EXPECT_THROW(options.set({{"gain", 3.0}, {"nonsense", 1.0}}), Error);
  EXPECT_EQ(std::get<double>(options.values().at("gain")), 2);
  options.set("gain", 3.0);
  options.reset();
  EXPECT_EQ(std::get<double>(options.values().at("gain")), 2);
}

TEST_F(OptionChoiceOfMany, KnowsItsPresets) {
  EXPECT_EQ(options.preset(), "");
  options.set("steps", std::int64_t(9));
  EXPECT_EQ(options.preset(), std::nullopt);
  options.setPreset("strict");
  EXPECT_EQ(options.preset(), "strict");
  options.set("level", 1.0);
  EXPECT_EQ(options.preset(), "paper") << "a look at the result is no other way to get it";
  options.setPreset("");
  EXPECT_EQ(options.values(), defaultsOf(analysis.options));
}

TEST_F(OptionChoiceOfMany, TakesParametersOfAFileOrNone) {
  options.set("level", 1.0);
  options.takeParameters({{"steps", std::int64_t(9)}});
  OptionValues wanted = defaultsOf(analysis.options);
  wanted["steps"] = std::int64_t(9);
  EXPECT_EQ(options.values(), wanted) << "what the file does not name is as it is by default";
  test::expectError([&] { options.takeParameters({{"step", 1.0}}); }, {"no parameter 'step'"});
  EXPECT_THROW(options.takeParameters({{"level", 1.0}, {"steps", std::string("x")}}), Error);
  options.takeParameters({{"steps", std::int64_t(9)}, {"method", std::string("fast")}});
  test::expectError(
      [&] {
        options.takeParameters({{"method", std::string("slow")}});
      },
      {"--method cannot be 'slow' any more"}, ErrorKind::usage);
  EXPECT_EQ(options.values(), wanted);
}

}  // namespace
}  // namespace sulcus::ui::model
