#include "ui/model/job_list_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(RemainingSecondsTest, FollowsFromWhatIsDone) {
  EXPECT_FALSE(remainingSeconds(10, 0.01));
  EXPECT_FALSE(remainingSeconds(0.1, 0.5));
  EXPECT_DOUBLE_EQ(*remainingSeconds(10, 0.25), 30);
  EXPECT_DOUBLE_EQ(*remainingSeconds(10, 1), 0);
}

TEST(FormatDurationTest, UsesTheUnitAPersonWould) {
  EXPECT_EQ(formatDuration(0.23), "0.2 s");
  EXPECT_EQ(formatDuration(42.4), "42 s");
  EXPECT_EQ(formatDuration(125), "2 min 05 s");
  EXPECT_EQ(formatDuration(3720), "1 h 02 min");
}

TEST(JobListModelTest, FollowsAJobToItsEnd) {
  JobListModel jobs;
  QAbstractItemModelTester tester(&jobs, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QSignalSpy finished(&jobs, &JobListModel::finished);
  const JobId id = jobs.add("Fibers", "CPU", [] {});
  const auto text = [&](int column) { return jobs.index(0, column).data().toString(); };
  EXPECT_EQ(text(JobListModel::state), "queued");
  EXPECT_TRUE(jobs.canCancel(id));
  EXPECT_FALSE(jobs.canRerun(id));
  jobs.report(id, {JobState::running, 0.4, "fit", ""});
  jobs.report(id, {JobState::running, 0.3, "search", ""});
  EXPECT_EQ(text(JobListModel::progress), "40 %");
  EXPECT_EQ(text(JobListModel::stage), "search");
  jobs.report(id, {JobState::done, 1, "", ""});
  EXPECT_EQ(text(JobListModel::state), "done");
  EXPECT_FALSE(jobs.canCancel(id));
  EXPECT_TRUE(jobs.canRerun(id));
  jobs.report(id, {JobState::failed, 1, "", "too late"});
  EXPECT_EQ(jobs.stateOf(id), JobState::done);
  EXPECT_EQ(finished.count(), 1);
  EXPECT_EQ(jobs.active(), 0);
}

TEST(JobListModelTest, KeepsTheSentenceOfAFailureInTheLog) {
  JobListModel jobs;
  const JobId id = jobs.add("Open", "files");
  jobs.report(id, {JobState::failed, 0, "", "It is no scan (no header): open another."});
  EXPECT_EQ(jobs.logOf(id), QStringList("It is no scan (no header): open another."));
  EXPECT_FALSE(jobs.canRerun(id));
}

TEST(JobListModelTest, SaysThatACancelledJobIsOnItsWayOut) {
  JobListModel jobs;
  const JobId id = jobs.add("Fibers", "CPU");
  jobs.report(id, {JobState::running, 0.1, "", ""});
  jobs.cancel(id);
  EXPECT_EQ(jobs.index(0, JobListModel::state).data().toString(), "cancelling…");
  EXPECT_FALSE(jobs.canCancel(id));
  jobs.report(id, {JobState::cancelled, 0.1, "", ""});
  EXPECT_EQ(jobs.index(0, JobListModel::state).data().toString(), "cancelled");
}

TEST(JobListModelTest, ClearsOnlyWhatIsOver) {
  JobListModel jobs;
  const JobId first = jobs.add("a", "CPU");
  const JobId second = jobs.add("b", "CPU");
  jobs.report(first, {JobState::done, 1, "", ""});
  jobs.clearFinished();
  EXPECT_EQ(jobs.rowCount(), 1);
  EXPECT_EQ(jobs.idAt(0), second);
}

}  // namespace
}  // namespace sulcus::ui::model
