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

TEST(Note, TakesThePlaceOfEarlierOnesAboutItsSubject) {
  Notes notes = {"Stored as int16.", Note("Gradients from a.bval.").about(Subject::gradients),
                 Note("Names of labels from a.tsv.").about(Subject::labelNames)};
  replaceNote(notes, Note::warning("gradients cannot be used.").about(Subject::gradients));
  ASSERT_EQ(notes.size(), 3);
  EXPECT_EQ(notes[0], Note("Stored as int16."));
  EXPECT_EQ(notes[1].line(), "Names of labels from a.tsv.");
  EXPECT_EQ(notes[2].line(), "Warning: gradients cannot be used.");
  EXPECT_TRUE(hasNoteAbout(notes, Subject::gradients));
  EXPECT_FALSE(hasNoteAbout(notes, Subject::assumedSides));
}

TEST(Note, HasASubjectWithAName) {
  for (const Subject subject : {Subject::other, Subject::assumedSides, Subject::labelNames,
                                Subject::dicomHeaders, Subject::gradients, Subject::fieldConvention})
    EXPECT_EQ(subjectNamed(nameOf(subject)), subject);
  EXPECT_EQ(subjectNamed("weather"), Subject::other);
}

}  // namespace
}  // namespace sulcus
