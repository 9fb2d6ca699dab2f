#include "ui/widgets/jobs_panel.h"

#include <QProgressBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

TEST(JobsPanelTest, ShowsProgressAndCancelsByItsButton) {
  model::JobListModel jobs;
  JobsPanel panel(jobs);
  panel.resize(900, 200);
  panel.show();
  int reruns = 0;
  const model::JobId job = jobs.add("Fibers", "CPU", [&] { ++reruns; });
  const auto at = [&](int column) { return panel.table()->indexWidget(jobs.index(0, column)); };
  auto* bar = qobject_cast<QProgressBar*>(at(model::JobListModel::progress));
  auto* button = qobject_cast<QToolButton*>(at(model::JobListModel::action));
  ASSERT_TRUE(bar && button);
  jobs.report(job, {JobState::running, 0.25, "fit", ""});
  EXPECT_EQ(bar->value(), 250);
  EXPECT_EQ(button->text(), "Cancel");
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_FALSE(jobs.canCancel(job));
  EXPECT_FALSE(button->isEnabled());
  jobs.report(job, {JobState::cancelled, 0.25, "", ""});
  EXPECT_EQ(button->text(), "Re-run");
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(reruns, 1);
}

}  // namespace
}  // namespace sulcus::ui::widgets
