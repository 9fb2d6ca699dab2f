#include "ui/model/runs/run_jobs.h"

#include "ui/model/text/localize.h"

#include <utility>

namespace sulcus::ui::model {

JobId RunJobs::begin(const QString& title, const QString& where, std::function<void()> again) {
  ++pending_;
  return list_.add(title, where, std::move(again));
}

void RunJobs::report(const Analysis& analysis, JobId job, const QString& name, JobReport report) {
  report.error = localizeForWindow(analysis, report.error).toStdString();
  list_.report(job, report);
  if (report.state == JobState::queued || report.state == JobState::running) return;
  --pending_;
  if (report.state == JobState::failed) emit failed(name, QString::fromStdString(report.error.line()));
  if (pending_ == 0) emit idle();
}

}  // namespace sulcus::ui::model
