#include "ui/model/text/localize.h"

#include "tests/ui/rich_analysis.h"

#include <QCoreApplication>
#include <QTranslator>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

/// A language of a few texts.
struct Few : QTranslator {
  QString translate(const char* context, const char* text, const char*, int) const override {
    static const std::pair<const char*, const char*> kKnown[] = {
        {"%1 is a folder (a scan is read from one file): choose a file in it, or open the folder as a DICOM "
         "series",
         "Ordner: %1"},
        {"There is no file %1 (%2 does not exist): check the path", "%2 fehlt, also %1"},
        {"%1 exists already (nothing is replaced unasked): choose another place, or allow overwriting "
         "(--overwrite)",
         "%1 gibt es: woanders, oder Ersetzen erlauben (--overwrite)"},
        {"%1 cannot be read as DICOM (%2): %3", "%1 ist kein DICOM (%2): %3"},
        {"probability of %1", "Wahrscheinlichkeit von %1"},
        {"fibers", "Fasern"}};
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
  EXPECT_EQ(said("'fibers'"), "'fibers'");  // a name
}

TEST_F(WordsOfALanguage, KeepWhatStandsInPlacesInTheOrderOfTheLanguage) {
  EXPECT_EQ(said("There is no file 'a b.nii' ('/x/a b.nii' does not exist): check the path"),
            "'/x/a b.nii' fehlt, also 'a b.nii'");
}

TEST_F(WordsOfALanguage, TranslateTextsInPlaces) {
  EXPECT_EQ(said("'a.dcm' cannot be read as DICOM (fibers): look"), "'a.dcm' ist kein DICOM (Fasern): look");
}

TEST_F(WordsOfALanguage, SayNothingOfOverwritingInTheWindow) {
  EXPECT_EQ(
      localizeForWindow("'a.json' exists already (nothing is replaced unasked): choose another place, or "
                        "allow overwriting (--overwrite)"),
      "'a.json' gibt es: woanders");
}

TEST_F(WordsOfALanguage, NameLayersOfResults) {
  EXPECT_EQ(layerTitle("ppm_visual (CPU)"), "Wahrscheinlichkeit von visual (CPU)");
}

TEST(LocalizeForWindow, CallSlotsAndOptionsAsTheFormDoes) {
  const Analysis rich = test::richAnalysis();
  EXPECT_EQ(localizeForWindow(rich, "There is no design (it says what was expected): give --design"),
            "There is no design (it says what was expected): give “Design”");
  EXPECT_EQ(localizeForWindow(rich, "--scale cannot be '200'"), "“Scale” cannot be '200'");
}

TEST(LocalizeForWindow, TakeTheDashesOffOtherFlags) {
  EXPECT_EQ(localizeForWindow(test::richAnalysis(), "give --bval and --bvec"), "give bval and bvec");
  EXPECT_EQ(
      localizeForWindow("'a.json' exists already (nothing is replaced unasked): choose another place, or "
                        "allow overwriting (--overwrite)"),
      "'a.json' exists already (nothing is replaced unasked): choose another place");
}

TEST(LocalizeForWindow, OfALayerAreThoseOfTheAnalysisThatComputedIt) {
  const std::vector<Analysis> analyses{test::richAnalysis()};
  Layer layer;
  EXPECT_EQ(localizeForWindow(analyses, layer, "Ask for more (--scale 2)."), "Ask for more (scale 2).");
  Provenance made;
  made.analysis = analyses.front().name;
  layer.provenance = std::make_shared<const Provenance>(made);
  EXPECT_EQ(localizeForWindow(analyses, layer, "Ask for more (--scale 2)."), "Ask for more (“Scale” 2).");
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
