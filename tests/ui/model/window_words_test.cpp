#include "ui/model/window_words.h"

#include "tests/ui/rich_analysis.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(WindowWords, CallSlotsAndOptionsAsTheFormDoes) {
  const Analysis rich = test::richAnalysis();
  EXPECT_EQ(windowWords(rich, "There is no design (it says what was expected): give --design"),
            "There is no design (it says what was expected): give “Design”");
  EXPECT_EQ(windowWords(rich, "--scale cannot be '200'"), "“Scale” cannot be '200'");
}

TEST(WindowWords, TakeTheDashesOffOtherFlags) {
  EXPECT_EQ(windowWords(test::richAnalysis(), "give --bval and --bvec"), "give bval and bvec");
  EXPECT_EQ(windowWords("'a.json' exists already (nothing is replaced unasked): choose another place, or "
                        "allow overwriting (--overwrite)"),
            "'a.json' exists already (nothing is replaced unasked): choose another place");
}

TEST(WindowWords, OfALayerAreThoseOfTheAnalysisThatComputedIt) {
  const std::vector<Analysis> analyses{test::richAnalysis()};
  Layer layer;
  EXPECT_EQ(windowWords(analyses, layer, "Ask for more (--scale 2)."), "Ask for more (scale 2).");
  Provenance made;
  made.analysis = analyses.front().name;
  layer.provenance = std::make_shared<const Provenance>(made);
  EXPECT_EQ(windowWords(analyses, layer, "Ask for more (--scale 2)."), "Ask for more (“Scale” 2).");
}

TEST(WindowWords, HaveAMinusBeforeNumbers) {
  EXPECT_EQ(windowWords("from -1.07 to 2 (-3), sub-01"), QString::fromUtf8("from −1.07 to 2 (−3), sub-01"));
}

TEST(WindowWords, LeaveEverythingElse) {
  const std::string sentence = "a -- b – c-d (1e-6): ν_e";
  EXPECT_EQ(windowWords(sentence).toStdString(), sentence);
}

TEST(ShortLabel, IsWhatStandsBeforeTheColon) {
  EXPECT_EQ(shortLabel(numberOption("nu-e", "ν_e: prior of the noise", "", 0, 1, 1, "")), "ν_e");
  EXPECT_EQ(shortLabel(numberOption("draws", "Draws", "", 0, 1, 1, "")), "Draws");
}

TEST(ValueText, IsWhatTheFormShows) {
  OptionInfo option = numberOption("width", "Width", "mm", 0, 10, 0, "");
  option.defaultValue = 0.0;
  EXPECT_EQ(valueText(option, 0.0), "0 mm");
  option.lowest = "auto";
  EXPECT_EQ(valueText(option, 0.0), "auto");
  EXPECT_EQ(valueText(option, 2.5), "2.5 mm");
}

}  // namespace
}  // namespace sulcus::ui::model
