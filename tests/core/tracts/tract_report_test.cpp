#include "core/tracts/tract_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(TractReport, SaysHowManyLinesWhichRuleEnded) {
  TractResult result;
  result.counts.seeds = 8;
  result.counts.verdicts = {2, 1, 5, 0, 0, 0};
  result.counts.endings = {1, 0, 3, 0, 0, 0};
  const TableLayer table = countTable(result.counts);
  EXPECT_THAT(table.rows, Contains(ElementsAre("lines kept", "2", "25 %")));
  EXPECT_THAT(table.rows, Contains(ElementsAre("ends at the border of the image", "3", "75 %")));
  const Notes notes = tractNotes(result);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_THAT(notes[0].text.line(), HasSubstr("2 lines of 8 seeds"));
  EXPECT_EQ(notes[2].text.line(), "5 lines that are too short");
}

TEST(TractReport, WarnsWhereNoLineIsKept) {
  TractResult result;
  result.counts.seeds = 3;
  result.counts.verdicts = {0, 0, 0, 3, 0, 0};
  const Note note = tractNotes(result).back();
  EXPECT_TRUE(note.isWarning());
  EXPECT_EQ(note.text.line(),
            "no line was kept; most frequent outcome: lines that entered an excluded region.");
}

TEST(TractReport, MeasuresLengths) {
  Tracts tracts;
  tracts.points = {{0, 0, 0}, {3, 4, 0}, {3, 4, 2}, {1, 1, 1}};
  tracts.first = {0, 3, 4};
  EXPECT_DOUBLE_EQ(lengthOf(tracts, 0), 7);
  EXPECT_DOUBLE_EQ(lengthOf(tracts, 1), 0);
}

}  // namespace
}  // namespace sulcus::tracts
