#include "app/cli/options.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::cli {
namespace {

using testing::HasSubstr;

struct Options {
  int count = 3;
  double width = 0.5;
  bool smooth = true;
  std::string weights, shares;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(count, numberOption("count", "Count", "", {1, 10, 1}, "How many."));
    visit(width, numberOption("width", "Width", "mm", {0, 2, 0.1}, "How wide."));
    visit(smooth, toggleOption("smooth", "Smooth", "Whether to smooth."));
    OptionInfo list = textOption("weights", "Weights", "One for each column.");
    list.list = true;
    visit(weights, list);
    visit(shares, wordsOption("shares", "Shares", "Of each."));
  }
};

const std::vector<Preset> kPresets{{"paper", "as printed", {{"count", std::int64_t(5)}, {"width", 2.0}}}};

OptionValues parsed(std::vector<std::string> words, const std::string& params = "") {
  CLI::App parser;
  const auto infos = describeOptions<Options>();
  std::string preset;
  addPresetFlag(parser, kPresets, preset);
  const auto given = addOptionFlags(parser, infos);
  std::reverse(words.begin(), words.end());  // as CLI11 expects them
  parser.parse(words);
  return resolveOptions(infos, presetValues(kPresets, preset), *given, params);
}

class ParamsFile {
 public:
  explicit ParamsFile(const std::string& text) { std::ofstream(path()) << text; }
  std::string path() const { return folder_ / "parameters.json"; }

 private:
  test::TemporaryFolder folder_;
};

TEST(CommandLineOptions, HaveTheirDefaultsWhenNothingIsGiven) {
  EXPECT_EQ(parsed({}), optionValues(Options{}));
}

TEST(CommandLineOptions, TakeValuesFromFlags) {
  auto values = parsed({"--count", "7", "--width=1.5", "--no-smooth"});
  EXPECT_EQ(values["count"], OptionValue(std::int64_t(7)));
  EXPECT_EQ(values["width"], OptionValue(1.5));
  EXPECT_EQ(values["smooth"], OptionValue(false));
}

TEST(CommandLineOptions, PreferAFlagToTheParameterFile) {
  const ParamsFile file(R"({"count": 2, "width": 1})");
  auto values = parsed({"--count", "9"}, file.path());
  EXPECT_EQ(values["count"], OptionValue(std::int64_t(9)));
  EXPECT_EQ(values["width"], OptionValue(1.0));
}

TEST(CommandLineOptions, RefuseAnUnknownParameterByName) {
  const ParamsFile file(R"({"colour": 2})");
  test::expectError([&] { parsed({}, file.path()); }, {"'colour'"}, ErrorKind::usage);
}

TEST(CommandLineOptions, RefuseANumberOutOfRange) {
  EXPECT_THROW(parsed({"--count", "11"}), Error);
  EXPECT_THROW(parsed({"--width", "-0.1"}), Error);
  EXPECT_THROW(parsed({"--width", "wide"}), Error);
}

TEST(CommandLineOptions, JoinTheValuesOfARepeatedFlag) {
  auto values =
      parsed({"--weights", "-1 0 .5", "--count", "7", "--weights=named: 0 -1 0", "--weights", "-.5 0"});
  EXPECT_EQ(values["weights"], OptionValue(std::string("-1 0 .5; named: 0 -1 0; -.5 0")));
  EXPECT_EQ(values["count"], OptionValue(std::int64_t(7)));
  EXPECT_EQ(parsed({"--weights", "1 0; 0 1"})["weights"], OptionValue(std::string("1 0; 0 1")));
  EXPECT_THROW(parsed({"--weights", "1", "0"}), CLI::ExtrasError) << "weights belong in quotes";
}

TEST(CommandLineOptions, TakeWordsWithQuotesAndWithout) {
  auto values = parsed({"--shares", "1", "0.5", "2", "--count", "7"});
  EXPECT_EQ(values["shares"], OptionValue(std::string("1 0.5 2")));
  EXPECT_EQ(values["count"], OptionValue(std::int64_t(7)));
  EXPECT_EQ(parsed({"--shares", "1 0.5 2"})["shares"], OptionValue(std::string("1 0.5 2")));
}

TEST(CommandLineOptions, StartFromAPresetThenTheFileThenTheFlags) {
  EXPECT_EQ(parsed({"--preset", "paper"})["count"], OptionValue(std::int64_t(5)));
  const ParamsFile file(R"({"width": 1})");
  auto values = parsed({"--preset", "paper", "--no-smooth"}, file.path());
  EXPECT_EQ(values["count"], OptionValue(std::int64_t(5)));
  EXPECT_EQ(values["width"], OptionValue(1.0));
  EXPECT_EQ(values["smooth"], OptionValue(false));
  EXPECT_EQ(parsed({"--count", "9", "--preset", "paper"}, file.path())["count"],
            OptionValue(std::int64_t(9)));
}

TEST(CommandLineOptions, NameThePresetsThereAre) {
  test::expectError(
      [] {
        parsed({"--preset", "newspaper"});
      },
      {"'newspaper'", "one of paper"}, ErrorKind::usage);
  CLI::App parser;
  std::string name;
  addPresetFlag(parser, kPresets, name);
  EXPECT_THAT(parser.help(), HasSubstr("paper: as printed"));
}

TEST(CommandLineOptions, SayWhatIsAllowedInTheHelp) {
  CLI::App parser;
  addOptionFlags(parser, describeOptions<Options>());
  EXPECT_THAT(parser.help(), HasSubstr("How wide. (0 … 2 mm; default 0.5)"));
  EXPECT_THAT(parser.help(), HasSubstr("Whether to smooth. (default true)"));
  EXPECT_THAT(parser.help(), HasSubstr("(may be repeated; default: none)"));
}

}  // namespace
}  // namespace sulcus::app::cli
