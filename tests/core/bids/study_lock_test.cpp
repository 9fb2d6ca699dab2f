#include "core/bids/study_lock.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
#include <stop_token>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sulcus::bids {
namespace {

TEST(StudyLocks, AreHeldByOneAtATimeAndByName) {
  const test::TemporaryFolder folder;
  {
    const StudyLock first(folder.path(), "fibers sub-01");
    EXPECT_TRUE(first.isHeld());
    EXPECT_FALSE(StudyLock(folder.path(), "fibers sub-01").isHeld());
    EXPECT_TRUE(StudyLock(folder.path(), "fibers sub-02").isHeld());
    EXPECT_FALSE(StudyLock(folder.path(), "fibers sub-01").isHeld()) << "another one was closed meanwhile";
  }
  EXPECT_TRUE(StudyLock(folder.path(), "fibers sub-01").isHeld());
}

TEST(StudyLocks, GoWithAProcessThatIsKilled) {
  const test::TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t other = fork();
  if (other == 0) {
    const StudyLock lock(folder.path(), "a");
    const char held = lock.isHeld() ? 'y' : 'n';
    if (write(ready[1], &held, 1) == 1) pause();
    _exit(0);
  }
  char held = 'n';
  ASSERT_EQ(read(ready[0], &held, 1), 1);
  EXPECT_EQ(held, 'y');
  StudyLock lock(folder.path(), "a");
  EXPECT_FALSE(lock.isHeld());
  kill(other, SIGKILL);
  lock.await();
  EXPECT_TRUE(lock.isHeld());
  waitpid(other, nullptr, 0);
  close(ready[0]), close(ready[1]);
}

TEST(StudyLocks, AreWaitedForUntilCancelled) {
  const test::TemporaryFolder folder;
  const StudyLock first(folder.path(), "a");
  StudyLock second(folder.path(), "a");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(second.await(Progress(stop.get_token(), {})), Cancelled);
}

TEST(StudyLocks, NeedAFolderThatCanBeWritten) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "logs") << "a file";
  test::expectError([&] { StudyLock(folder.path(), "a"); }, {"lock"}, ErrorKind::badInput);
}

}  // namespace
}  // namespace sulcus::bids
