#pragma once

#include "core/base/job_queue.h"

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

using JobId = int;

/// Seconds that a job will still take when it goes on as it did; nothing before 2 % or half a second are
/// done.
std::optional<double> remainingSeconds(double elapsedSeconds, double fraction);
/// "8 s", "2 min 05 s", "1 h 12 min"
QString formatDuration(double seconds);

/// Every job of this run of the program, newest first. Lives on the UI thread.
class JobListModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    name,
    backend,
    state,
    progress,
    remaining,
    action,
    stage,
    columns
  };  ///< action: room for a button
  enum Role { fractionRole = Qt::UserRole, stateRole, idRole };

  using QAbstractTableModel::QAbstractTableModel;

  /// `where`: "CPU", "GPU" or "files". `rerun` may be empty.
  JobId add(const QString& jobName, const QString& where, std::function<void()> rerun = {});
  void setTicket(JobId id, Ticket ticket);
  void report(JobId id, const JobReport& report);
  void log(JobId id, const QString& line);

  void cancel(JobId id);
  void cancelAll();
  bool canCancel(JobId id) const;
  void rerun(JobId id);
  bool canRerun(JobId id) const;
  /// Jobs that are over leave the list.
  void clearFinished();

  JobId idAt(int row) const;
  int rowOf(JobId id) const;  ///< −1: none
  JobState stateOf(JobId id) const;
  QStringList logOf(JobId id) const;
  int active() const;  ///< queued and running ones

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  void finished(int job, JobState state);
  void logged(int job);

 private:
  struct Job {
    JobId id = 0;
    QString name, where;
    JobReport last;
    bool cancelling = false;
    QElapsedTimer started;
    QElapsedTimer told;  ///< since views last heard of progress
    double seconds = 0;  ///< in all, once it is over
    QStringList log;
    Ticket ticket;
    std::function<void()> rerun;
  };
  Job* find(JobId id);
  const Job* find(JobId id) const;
  QString stateText(const Job& job) const;
  QString remainingText(const Job& job) const;
  void changed(JobId id);

  std::vector<std::unique_ptr<Job>> jobs_;
  JobId nextId_ = 1;
};

}  // namespace sulcus::ui::model
