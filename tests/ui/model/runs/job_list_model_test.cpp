#include "ui/model/runs/job_list_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

/// A job that reaches these fractions, one every second.
RemainingTime after(std::initializer_list<double> fractions) {
  RemainingTime time;
  double second = 0;
  for (const double fraction : fractions) time.note(second++, fraction);
  return time;
}

TEST(RemainingTimeTest, FollowsFromWhatIsDone) {
  EXPECT_FALSE(after({0, 0.01}).left(2));
  EXPECT_FALSE(after({0.5}).left(0.1));
  EXPECT_DOUBLE_EQ(*after({0, 0.1, 0.2}).left(2), 8);
  EXPECT_DOUBLE_EQ(*after({0, 0.5, 1}).left(2), 0);
}

TEST(RemainingTimeTest, ForgetsHowQuicklyTheFirstStepsWent) {
  // A registration: one second of preparation, then one percent each second, so that 79 remain.
  const RemainingTime slow = after({0, 0.2, 0.21, 0.22, 0.23});
  EXPECT_NEAR(*slow.left(4), 77, 1) << "not the 13 of the whole time";
  EXPECT_FALSE(slow.left(8)) << "nothing has come since";
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
  EXPECT_EQ(text(JobListModel::name), "Fibers · CPU");
  jobs.setWhere(id, "CPU, ν_e 45");
  EXPECT_EQ(text(JobListModel::name), "Fibers · CPU, ν_e 45") << "as its run is called";
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
  const JobId id = jobs.add("Open", {});
  jobs.report(id, {JobState::failed, 0, "", "It is no scan (no header): open another."});
  EXPECT_EQ(jobs.logOf(id), QStringList("It is no scan (no header): open another."));
  EXPECT_FALSE(jobs.canRerun(id));
}

TEST(JobListModelTest, ReplacesTheLastWordOfALog) {
  JobListModel jobs;
  QSignalSpy logged(&jobs, &JobListModel::logged);
  const JobId id = jobs.add("Surface", "CPU");
  jobs.log(id, "area 10 mm²");
  jobs.setLastWord(id, "Shown with 5");
  jobs.setLastWord(id, "Shown with 6");
  EXPECT_EQ(jobs.logOf(id), (QStringList{"area 10 mm²", "Shown with 6"}));
  jobs.setLastWord(id, {});
  EXPECT_EQ(jobs.logOf(id), QStringList("area 10 mm²"));
  EXPECT_EQ(logged.count(), 4);
}

TEST(JobListModelTest, KnowsWhichJobRuns) {
  JobListModel jobs;
  const JobId first = jobs.add("a", "CPU"), second = jobs.add("b", "CPU");
  EXPECT_EQ(jobs.running(), 0);
  jobs.report(first, {JobState::running, 0.1, "", ""});
  jobs.report(second, {JobState::running, 0.1, "", ""});
  EXPECT_EQ(jobs.running(), first);
  jobs.report(first, {JobState::done, 1, "", ""});
  EXPECT_EQ(jobs.running(), second);
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

TEST(JobListModelTest, LetsTheOldestGoAfterFiveHundred) {
  JobListModel model;
  const QAbstractItemModelTester tester(&model);
  const JobId running = model.add("runs on", {});
  model.report(running, {JobState::running, 0.5, "", ""});
  for (int i = 0; i < 510; ++i) model.report(model.add(QString::number(i), {}), {JobState::done, 1, "", ""});
  EXPECT_EQ(model.rowCount(), 500);
  EXPECT_EQ(model.rowOf(running), 499) << "what runs stays";
  EXPECT_EQ(model.index(498, JobListModel::name).data().toString(), "11");
}

}  // namespace
}  // namespace sulcus::ui::model
