#include "ui/widgets/window/job_line.h"

#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace sulcus::ui::widgets {

JobLine::JobLine(model::JobListModel& jobs, QWidget* parent) : QWidget(parent), jobs_(jobs) {
  text_ = named("runningJob", new Label, tr("Job that runs"));
  bar_ = named("runningProgress", new QProgressBar, tr("Progress"));
  bar_->setRange(0, 100);
  bar_->setFixedWidth(12 * fontMetrics().horizontalAdvance(QLatin1Char('M')));
  bar_->setTextVisible(false);
  cancel_ = toolButton("cancelRunning", tr("Cancel"), tr("Stops the job and discards its results"));
  cancel_->setFocusPolicy(Qt::TabFocus);  // a click leaves the focus where the user works
  auto* line = tight<QHBoxLayout>(this, 8);
  for (QWidget* part : std::initializer_list<QWidget*>{text_, bar_, cancel_}) line->addWidget(part);
  connect(cancel_, &QToolButton::clicked, this, [this] { jobs_.cancel(jobs_.running()); });
  connect(&jobs_, &QAbstractItemModel::dataChanged, this, &JobLine::showJob);
  connect(&jobs_, &QAbstractItemModel::rowsInserted, this, &JobLine::showJob);
  showJob();
}

void JobLine::showJob() {
  const model::JobId job = jobs_.running();
  setVisible(job != 0);
  if (job == 0) return;
  QStringList said{jobs_.index(jobs_.rowOf(job), model::JobListModel::name).data().toString(),
                   jobs_.timeOf(job)};
  said.removeAll(QString());
  if (const int waiting = jobs_.active() - 1; waiting > 0) said << tr("%1 more").arg(waiting);
  text_->setText(said.join(QStringLiteral(" · ")));
  bar_->setValue(
      int(100 * jobs_.index(jobs_.rowOf(job), 0).data(model::JobListModel::fractionRole).toDouble()));
  cancel_->setEnabled(jobs_.canCancel(job));
}

}  // namespace sulcus::ui::widgets
