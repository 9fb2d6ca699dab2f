#include "core/base/platform/processes/processes.h"

#include "core/base/platform/files/descriptor.h"
#include "core/base/platform/processes/pipe.h"

#include <array>
#include <cerrno>
#include <utility>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

std::string allOf(int descriptor) {
  std::string text;
  std::array<char, 4096> part;
  for (std::ptrdiff_t count; (count = readSome(descriptor, part)) > 0;)
    text.append(part.data(), std::size_t(count));
  return text;
}

/// The output and the exit code of a shell command.
std::pair<std::string, int> said(const std::string& command, ProgramStart how, const auto& start) {
  int ends[2];
  EXPECT_EQ(makePipe(ends), 0);
  how.output = ends[1];
  int program = 0;
  EXPECT_EQ(start({"sh", "-c", command}, how, program), 0);
  closeDescriptor(ends[1]);
  const std::string text = allOf(ends[0]);
  closeDescriptor(ends[0]);
  return {text, awaitEnd(program).code};
}

TEST(Program, HasItsWordsStreamsAndExitCode) {
  EXPECT_EQ(said("cat; echo 'a b'; exit 3", {}, startProgram), std::pair(std::string("a b\n"), 3));
  EXPECT_EQ(said("cat; echo 'a b'; exit 3", {}, startBoundProgram), std::pair(std::string("a b\n"), 3));
}

TEST(Program, ThatIsIsolatedHasNothingElseOpen) {
  int ends[2];
  ASSERT_EQ(makePipe(ends), 0);
  ProgramStart how;
  how.kept = ends[0];
  const std::string opened = "[ -e /dev/fd/3 ] && echo open || echo closed";
  EXPECT_EQ(said(opened, how, startProgram).first, "open\n");
  how.kept = -1, how.isolated = true;
  EXPECT_EQ(said(opened, how, startProgram).first, "closed\n");
  closeDescriptor(ends[0]);
  closeDescriptor(ends[1]);
}

TEST(Program, ThatIsMissingIsReported) {
  int program = 1;
  EXPECT_EQ(startProgram({"/nowhere/program"}, {}, program), ENOENT);
  EXPECT_EQ(program, 0);
}

TEST(Program, IsWaitedForAndStopped) {
  for (const auto stop : {interruptProgram, askToEnd, killProgram}) {
    int program = 0;
    ProgramStart how;
    how.isolated = true;
    ASSERT_EQ(startProgram({"sleep", "1000"}, how, program), 0);
    EXPECT_FALSE(awaitEnds({&program, 1}, 0));
    EXPECT_FALSE(takeEnd(program));
    stop(program);
    EXPECT_TRUE(awaitEnds({&program, 1}, 10'000));
    const auto end = takeEnd(program);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->code, -1);
    EXPECT_NE(end->killed, "");
  }
}

}  // namespace
}  // namespace sulcus
