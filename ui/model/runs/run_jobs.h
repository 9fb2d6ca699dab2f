#pragma once

#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/run.h"

#include <QObject>
#include <QString>
#include <functional>

namespace sulcus::ui::model {

/// The jobs of runs and comparisons in the list of jobs, counted until they have finished. Lives on the UI
/// thread.
class RunJobs : public QObject {
  Q_OBJECT
 public:
  explicit RunJobs(JobListModel& list, QObject* parent) : QObject(parent), list_(list) {}

  JobListModel& list() { return list_; }
  /// Like JobListModel::add(); report() must announce its end.
  JobId begin(const QString& title, const QString& where, std::function<void()> again = {});
  /// @param name of the job, in a dialog
  void report(const Analysis& analysis, JobId job, const QString& name, JobReport report);
  /// Number of unfinished jobs.
  int pending() const { return pending_; }

 signals:
  /// Once per failed job; the message is suitable for a dialog.
  void failed(const QString& name, const QString& sentence);
  /// pending() has become 0.
  void idle();

 private:
  JobListModel& list_;
  int pending_ = 0;
};

}  // namespace sulcus::ui::model
