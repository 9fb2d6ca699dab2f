#include "ui/model/views/search.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

QStringList found(SearchModel& model, const QString& typed) {
  model.setTyped(typed);
  QStringList texts;
  for (int row = 0; row < model.rowCount(); ++row) texts << model.index(row).data().toString();
  return texts;
}

TEST(MatchScore, FindsEachWordThatWasTypedInAnyOrder) {
  EXPECT_TRUE(matchScore("views reset", "Reset views"));
  EXPECT_TRUE(matchScore("res vi", "Reset views"));
  EXPECT_TRUE(matchScore("  ", "Reset views"));
  EXPECT_FALSE(matchScore("reset layer", "Reset views")) << "one word is not there";
  EXPECT_FALSE(matchScore("x", "Reset views"));
}

TEST(MatchScore, SetsWholeWordsBeforeBeginningsBeforeInsidesBeforeAbbreviations) {
  const int whole = *matchScore("peak", "smallest peak"), beginning = *matchScore("pea", "smallest peak"),
            inside = *matchScore("eak", "smallest peak"), abbreviation = *matchScore("pk", "smallest peak");
  EXPECT_GT(whole, beginning);
  EXPECT_GT(beginning, inside);
  EXPECT_GT(inside, abbreviation);
  EXPECT_FALSE(matchScore("kp", "smallest peak")) << "letters keep their order";
  EXPECT_FALSE(matchScore("ek", "smallest peak")) << "an abbreviation begins as its word";
}

TEST(MatchScore, DoesNotAskForCaseOrAccents) {
  EXPECT_TRUE(matchScore("MULLER", "müller_t1"));
  EXPECT_TRUE(matchScore("ν", "Ν_e"));
}

TEST(HasWords, LooksForTheLettersAsTheyStand) {
  EXPECT_TRUE(hasWords("hippo LEFT", "17 Left-Hippocampus"));
  EXPECT_TRUE(hasWords("region", "Région"));
  EXPECT_TRUE(hasWords("", "anything"));
  EXPECT_FALSE(hasWords("lh", "17 Left-Hippocampus")) << "no letters are left out";
  EXPECT_FALSE(hasWords("left amygdala", "17 Left-Hippocampus"));
}

struct SearchModelTest : testing::Test {
  SearchModelTest() {
    model.setEntries({{"Run on GPU", "Analysis", "Ctrl+Shift+Return", {}, false},
                      {"Save run…", "File"},
                      {"Run on CPU", "Analysis", "Ctrl+Return"},
                      {"Order", "parameter of Fibers"},
                      {"Fibers", "analysis"},
                      {"run_07", "layer, volume"}});
  }
  SearchModel model;
};

TEST_F(SearchModelTest, ShowsAllInTheirOrderWhileNothingIsTypedAndTheImpossibleLast) {
  EXPECT_EQ(found(model, ""),
            QStringList({"Save run…", "Run on CPU", "Order", "Fibers", "run_07", "Run on GPU"}));
}

TEST_F(SearchModelTest, SetsWhatIsCalledSoBeforeWhatBelongsToIt) {
  EXPECT_EQ(found(model, "fib"), QStringList({"Fibers", "Order"}));
  EXPECT_EQ(found(model, "fibers order"), QStringList("Order"));
}

TEST_F(SearchModelTest, SetsWhatCannotBeDoneLastAndDisabled) {
  EXPECT_EQ(found(model, "run on"), QStringList({"Run on CPU", "Run on GPU"}));
  EXPECT_TRUE(model.flags(model.index(0)) & Qt::ItemIsEnabled);
  EXPECT_FALSE(model.flags(model.index(1)) & Qt::ItemIsEnabled);
  EXPECT_EQ(model.index(0).data(SearchModel::shortcutRole), "Ctrl+Return");
}

TEST_F(SearchModelTest, FindsNothingForWhatIsNowhere) { EXPECT_TRUE(found(model, "qwx").isEmpty()); }

}  // namespace
}  // namespace sulcus::ui::model
