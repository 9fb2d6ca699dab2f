#include "app/cli/usage.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::app::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The message for these words, in a program with a command that needs --out and one that has subcommands.
std::string saidTo(std::vector<std::string> words) {
  CLI::App program("", "tool");
  program.require_subcommand(1);
  CLI::App* fibers = program.add_subcommand("fibers", "");
  std::string text;
  fibers->add_option("--dwi", text)->group("Inputs");
  fibers->add_option("--out", text)->required();
  fibers->add_option("--backend", text)->check(oneOf("--backend", {"cpu", "gpu"}));
  fibers->add_option("--threads", text)->check(wholeNumber("threads", 0, 4096));
  fibers->add_option("--tolerance", text)->check(notNegative("tolerance"));
  bool flag = false;
  fibers->add_flag("--smooth,!--no-smooth", flag);
  CLI::App* phantom = program.add_subcommand("phantom", "");
  phantom->require_subcommand(1);
  phantom->add_subcommand("ball", "");
  phantom->add_subcommand("sheet", "");
  std::reverse(words.begin(), words.end());  // as CLI11 expects them
  try {
    program.parse(words);
  } catch (const CLI::ParseError& fault) {
    const Error error = usageError(program, fault);
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(NearestName, IsFewChangesAway) {
  const std::vector<std::string> names{"--dwi", "--mask", "--out"};
  EXPECT_EQ(nearestName("--dvi", names), "--dwi");
  EXPECT_EQ(nearestName("--mas", names), "--mask");
  EXPECT_EQ(nearestName("--mmask", names), "--mask");
  EXPECT_EQ(nearestName("--uot", names), "--out");
  EXPECT_EQ(nearestName("--tolerance", names), "");
  EXPECT_EQ(nearestName("", names), "");
  EXPECT_EQ(nearestName("fibres", {"info", "fibers"}), "fibers");
  EXPECT_EQ(nearestName("brain", {"fibers", "surface"}), "");
}

TEST(UsageErrors, NameTheMistypedFlagBeforeTheOneThatIsMissing) {
  EXPECT_THAT(saidTo({"fibers", "--dvi", "x"}), HasSubstr("'--dvi'"));
  EXPECT_THAT(saidTo({"fibers", "--dvi", "x"}), HasSubstr("did you mean --dwi?"));
  EXPECT_THAT(saidTo({"fibers", "--dvi=x", "--out", "y"}), HasSubstr("'--dvi' (tool fibers"));
  EXPECT_THAT(saidTo({"fibers", "--no-smoth", "--out", "y"}), HasSubstr("did you mean --no-smooth?"));
  EXPECT_THAT(saidTo({"fibers"}), HasSubstr("--out is required (no input is given either)"));
}

TEST(UsageErrors, NameTheCommandsThereAre) {
  EXPECT_THAT(saidTo({"fibres", "--dwi", "x"}), HasSubstr("Unknown command 'fibres'"));
  EXPECT_THAT(saidTo({"fibres", "--dwi", "x"}), HasSubstr("did you mean fibers?"));
  EXPECT_THAT(saidTo({"phantom", "brain"}), HasSubstr("tool phantom knows ball, sheet"));
  EXPECT_THAT(saidTo({"phantom"}), HasSubstr("tool phantom knows ball, sheet"));
}

TEST(UsageErrors, SayWhoseTheUnknownArgumentIs) {
  EXPECT_THAT(saidTo({"--dwi", "fibers", "--out", "x"}), HasSubstr("'--dwi' (tool has nothing"));
}

TEST(UsageErrors, AreShortForAnyArgument) {
  EXPECT_LT(saidTo({"fibers", "--out", "x", "--" + std::string(100000, 'x')}).size(), 300u);
  EXPECT_LT(saidTo({"fibers", "--out", "x", "--threads", std::string(100000, '9')}).size(), 300u);
}

TEST(CheckedFlags, SayWhatWouldBeRight) {
  const auto said = [](const char* flag, const char* text) {
    return saidTo({"fibers", "--out", "x", flag, text});
  };
  EXPECT_EQ(said("--tolerance", "-1"),
            "--tolerance cannot be '-1' (it is a number of at least 0): give a number of at least 0");
  for (const char* text : {"nan", "inf", "1e999", "", "1,5", "0x1p3"})
    EXPECT_THAT(said("--tolerance", text), HasSubstr("--tolerance cannot be")) << text;
  EXPECT_EQ(said("--tolerance", "1e300"), "");
  EXPECT_THAT(said("--threads", "4097"), HasSubstr("from 0 to 4096"));
  EXPECT_THAT(said("--threads", "1.5"), HasSubstr("a whole number"));
  EXPECT_THAT(said("--backend", "tpu"), HasSubstr("--backend cannot be 'tpu' (it is one of cpu, gpu)"));
  EXPECT_EQ(said("--backend", "gpu"), "");
}

}  // namespace
}  // namespace sulcus::app::cli
