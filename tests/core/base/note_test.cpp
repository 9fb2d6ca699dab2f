#include "core/base/note.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Note, IsALineWithItsParameterBeforeTheLastPeriod) {
  EXPECT_EQ(Note::warning("too little is shown.", "Ask for more.", "gamma").line(),
            "Warning: too little is shown. Ask for more (--gamma).");
  EXPECT_EQ(Note("order 8 was chosen", "order").line(), "order 8 was chosen (--order)");
}

TEST(Note, OfALineHasItsSeverityAndParameterAgain) {
  for (const Note& note : {Note("Stored as int16."), Note("order 8 was chosen", "order"),
                           Note::warning("too little is shown.", "", "gamma"), Note()})
    EXPECT_EQ(Note::from(note.line()), note);
  const Note remedied = Note::from(Note::warning("too little.", "Ask for more.", "gamma").line());
  EXPECT_EQ(remedied.text.line(), "too little. Ask for more.");
  EXPECT_EQ(remedied.option, "gamma");
}

TEST(Note, LeavesOtherParenthesesAndFlagsInItsText) {
  for (const char* line : {"give responses (--response, --response-gm).", "(--b) is first", "at the end (--",
                           " (--)", "in the middle (--b) of it.", "beyond 2 (of 3)."}) {
    EXPECT_EQ(Note::from(line).line(), line);
    EXPECT_EQ(Note::from(line).option, "");
  }
}

}  // namespace
}  // namespace sulcus
