#include "ui/widgets/panels/jobs_panel.h"

#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTableView>
#include <QTableWidget>
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

TEST(JobsPanelTest, GivesTheTimeThatIsLeftRoom) {
  model::JobListModel jobs;
  JobsPanel panel(jobs);
  EXPECT_GE(panel.table()->columnWidth(model::JobListModel::remaining),
            panel.fontMetrics().horizontalAdvance("59 min 59 s left") + 8);
}

TEST(JobsPanelTest, CutsNoButton) {
  model::JobListModel jobs;
  JobsPanel panel(jobs);
  const model::JobId job = jobs.add("Activation", "CPU, ν_e 45", [] {});
  const int em = panel.fontMetrics().horizontalAdvance('M');
  for (const int ems : {60, 86, 120, 86}) {
    panel.resize(ems * em, 220);
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    const QRect cell = panel.table()->visualRect(jobs.index(0, model::JobListModel::action));
    EXPECT_LE(cell.right(), panel.table()->viewport()->width()) << "in " << ems << " ems";
  }
  jobs.report(job, {JobState::done, 1, "", ""});
  EXPECT_FALSE(panel.table()->indexWidget(jobs.index(0, model::JobListModel::progress)))
      << "what is done needs no bar";
}

TEST(JobsPanelTest, ShowsFiguresAndFoldsTheNotesUnlessTheyWarn) {
  model::JobListModel jobs;
  JobsPanel panel(jobs);
  panel.resize(900, 240);
  panel.show();
  auto* log = panel.findChild<QPlainTextEdit*>("log");
  auto* figures = panel.findChild<QTableWidget*>("figures");
  auto* details = panel.findChild<QToolButton*>("details");
  const model::JobId job = jobs.add("Fibers", "CPU");
  jobs.log(job, "0.4 s in all");
  EXPECT_TRUE(log->isVisible()) << "there is nothing else to show yet";
  jobs.setFigures(job, {{"voxels", "1000", "How many were analyzed"}, {"seconds", "0.4 s", ""}});
  EXPECT_EQ(figures->rowCount(), 2);
  EXPECT_EQ(figures->item(1, 1)->text(), "0.4 s");
  EXPECT_TRUE(figures->isVisible());
  EXPECT_FALSE(log->isVisible()) << "figures say it now";
  const model::JobId other = jobs.add("Surface", "CPU");
  EXPECT_FALSE(figures->isVisible());
  panel.table()->selectRow(jobs.rowOf(job));
  EXPECT_TRUE(figures->isVisible());
  EXPECT_FALSE(log->isVisible());
  QTest::mouseClick(details, Qt::LeftButton);
  EXPECT_TRUE(log->isVisible());
  EXPECT_EQ(log->toPlainText(), "0.4 s in all");
  panel.table()->selectRow(jobs.rowOf(other));
  jobs.callAttention(job);
  panel.table()->selectRow(jobs.rowOf(job));
  EXPECT_TRUE(log->isVisible()) << "a warning is read unasked";
}

TEST(JobsPanelTest, GivesTheNotesRoomForASentence) {
  model::JobListModel jobs;
  JobsPanel panel(jobs);
  auto* log = panel.findChild<QPlainTextEdit*>("log");
  const int em = panel.fontMetrics().horizontalAdvance('M');
  for (const int width : {640, 1800, 640}) {
    panel.resize(width, 220);
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    EXPECT_GE(log->width(), 34 * em) << "in " << width;
    EXPECT_GE(log->height(), 4 * panel.fontMetrics().height());
    EXPECT_GE(panel.table()->height(), 2 * panel.fontMetrics().height());
  }
}

}  // namespace
}  // namespace sulcus::ui::widgets
