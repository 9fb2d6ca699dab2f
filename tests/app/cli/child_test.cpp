#include "app/cli/child.h"

#include "core/base/error.h"

#include <gmock/gmock.h>
#include <unistd.h>

namespace sulcus::app::cli {
namespace {

const auto kNever = [] { return false; };

TEST(ProgramsSideBySide, AnswerEachForItself) {
  const auto answers =
      callSideBySide({{"sh", "-c", "echo one; exit 3"}, {"sh", "-c", "echo two"}}, false, kNever);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].code, 3);
  EXPECT_EQ(answers[0].out, "one\n");
  EXPECT_EQ(answers[1].code, 0);
  EXPECT_EQ(answers[1].out, "two\n");
}

TEST(ProgramsSideBySide, RunAtTheSameTime) {
  // Each waits for a file that the other creates.
  const std::string folder = testing::TempDir() + "side_by_side";
  const std::string wait =
      "mkdir -p " + folder + "; touch " + folder + "/$0; until [ -e " + folder + "/$1 ]; do sleep 0.01; done";
  const auto answers =
      callSideBySide({{"sh", "-c", wait, "a", "b"}, {"sh", "-c", wait, "b", "a"}}, false, kNever);
  EXPECT_EQ(answers[0].code, 0);
  EXPECT_EQ(answers[1].code, 0);
  callProgram({"rm", "-r", folder});
}

TEST(ProgramsSideBySide, ThatAreKilledOrMissingAreTold) {
  const auto answers =
      callSideBySide({{"sh", "-c", "kill -9 $$"}, {"/nowhere/program"}, {"true"}}, false, kNever);
  EXPECT_EQ(answers[0].code, -1);
  EXPECT_THAT(answers[0].complaint, testing::HasSubstr("killed"));
  EXPECT_EQ(answers[1].code, -1);
  EXPECT_THAT(answers[1].complaint, testing::HasSubstr("/nowhere/program cannot be started"));
  EXPECT_EQ(answers[2].code, 0);
}

TEST(ProgramsSideBySide, AreAskedToEnd) {
  const auto answers = callSideBySide({{"sh", "-c", "trap 'exit 7' INT; while :; do sleep 0.01; done"}},
                                      false, [] { return true; });
  EXPECT_NE(answers[0].code, 0);
}

TEST(ProgramsSideBySide, MayPrintMoreThanAPipeHolds) {
  const auto answers = callSideBySide({{"sh", "-c", "head -c 1000000 /dev/zero"}}, false, kNever);
  EXPECT_EQ(answers[0].out.size(), 1000000u);
}

TEST(PipedPrograms, HandOnWhatTheFirstPrints) {
  EXPECT_EQ(callPiped({"echo", "x"}, {"sh", "-c", "read word && [ \"$word\" = x ]"}).code, 0);
  EXPECT_EQ(callPiped({"sh", "-c", "echo why >&2; exit 3"}, {"cat"}).complaint, "why\n");
  EXPECT_EQ(callPiped({"echo", "x"}, {"sh", "-c", "echo no >&2; exit 4"}).code, 4);
  EXPECT_THAT(callPiped({"/nowhere/program"}, {"cat"}).complaint, testing::HasSubstr("cannot be started"));
}

TEST(TalkingPrograms, AreTalkedWithAndEnd) {
  TalkingChild child({"sh", "-c", "read word; echo \"heard $word\"; echo bye >&2; exit 6"});
  ASSERT_EQ(write(child.input(), "x\n", 2), 2);
  char said[16] = {};
  EXPECT_EQ(read(child.output(), said, sizeof said), 8);
  EXPECT_STREQ(said, "heard x\n");
  const ChildAnswer answer = child.end();
  EXPECT_EQ(answer.code, 6);
  EXPECT_EQ(answer.complaint, "bye\n");
}

TEST(TalkingPrograms, ThatAreMissingAreTold) { EXPECT_THROW(TalkingChild({"/nowhere/program"}), Error); }

}  // namespace
}  // namespace sulcus::app::cli
