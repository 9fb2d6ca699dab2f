#include "ui/model/text/localize.h"

#include "tests/ui/rich_analysis.h"

#include <QCoreApplication>
#include <QTranslator>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

/// A translation of a few texts.
struct Few : QTranslator {
  QString translate(const char* context, const char* text, const char*, int) const override {
    static const std::pair<const char*, const char*> kKnown[] = {
        {"probability of %1", "Wahrscheinlichkeit von %1"}, {"fibers", "Fasern"}};
    for (const auto& [known, said] : kKnown)
      if (std::string(context) == "texts" && std::string(text) == known) return QString::fromUtf8(said);
    return {};
  }
  bool isEmpty() const override { return false; }
};

struct WordsOfALanguage : testing::Test {
  WordsOfALanguage() { QCoreApplication::installTranslator(&few); }
  ~WordsOfALanguage() override { QCoreApplication::removeTranslator(&few); }
  static std::string said(const std::string& text) { return words(text).toStdString(); }
  Few few;
};

TEST_F(WordsOfALanguage, AreThoseOfWholeTexts) {
  EXPECT_EQ(said("fibers"), "Fasern");
  EXPECT_EQ(said("no such text in the sources"), "no such text in the sources");
}

TEST_F(WordsOfALanguage, NameLayersOfResults) {
  EXPECT_EQ(layerTitle("ppm_visual (CPU)"), "Wahrscheinlichkeit von visual (CPU)");
}

TEST(LocalizeForWindow, CallSlotsAndOptionsAsTheFormDoes) {
  const Analysis rich = test::richAnalysis();
  EXPECT_EQ(localizeForWindow(rich, "There is no design (it says what was expected): give {design}"_message),
            "There is no design (it says what was expected): give “Design”");
  EXPECT_EQ(localizeForWindow(rich, "{scale} cannot be '200'"_message), "“Scale” cannot be '200'");
}

TEST(LocalizeForWindow, CallOtherOptionsByTheirName) {
  EXPECT_EQ(localizeForWindow(test::richAnalysis(), "give {bval} and {bvec}"_message), "give bval and bvec");
}

TEST(LocalizeForWindow, LeaveNamesOfFiles) {
  EXPECT_EQ(localizeForWindow(test::richAnalysis(), "'my --scale.nii' is damaged"),
            "'my --scale.nii' is damaged");
}

TEST(NoteText, CallsParametersAsTheFormOfTheAnalysis) {
  const std::vector<Analysis> analyses{test::richAnalysis()};
  Layer layer;
  const Note note = Note::warning("too little is shown.", "Ask for more.", "scale");
  EXPECT_EQ(noteText(note), "Warning: too little is shown. Ask for more.");
  EXPECT_EQ(noteText(analyses, layer, note), "Warning: too little is shown. Ask for more (“Scale”).")
      << "a preview";
  Provenance made;
  made.analysis = analyses.front().name;
  layer.provenance = std::make_shared<const Provenance>(made);
  EXPECT_EQ(noteText(analyses, layer, note), "Warning: too little is shown. Ask for more (“Scale”).");
}

TEST(LocalizeForWindow, HaveAMinusBeforeNumbers) {
  EXPECT_EQ(localizeForWindow("from -1.07 to 2 (-3), sub-01"),
            QString::fromUtf8("from −1.07 to 2 (−3), sub-01"));
}

TEST(LocalizeForWindow, LeaveEverythingElse) {
  const std::string sentence = "a -- b – c-d (1e-6): ν_e";
  EXPECT_EQ(localizeForWindow(sentence).toStdString(), sentence);
}

TEST(ShortLabel, IsWhatStandsBeforeTheColon) {
  EXPECT_EQ(shortLabel(numberOption("nu-e", "ν_e: prior of the noise", "", {0, 1, 1}, "")), "ν_e");
  EXPECT_EQ(shortLabel(numberOption("draws", "Draws", "", {0, 1, 1}, "")), "Draws");
}

TEST(ValueText, IsWhatTheFormShows) {
  OptionInfo option = numberOption("width", "Width", "mm", {0, 10, 0}, "");
  option.defaultValue = 0.0;
  EXPECT_EQ(valueText(option, 0.0), "0 mm");
  option.lowest = "auto";
  EXPECT_EQ(valueText(option, 0.0), "auto");
  EXPECT_EQ(valueText(option, 2.5), "2.5 mm");
}

}  // namespace
}  // namespace sulcus::ui::model
