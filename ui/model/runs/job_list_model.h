#pragma once

#include "core/base/parallel/job_queue.h"

#include <QAbstractTableModel>
#include <QElapsedTimer>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sulcus::ui::model {

using JobId = int;

/// The remaining time of a job, assuming the speed of the second half of the elapsed time: the first steps
/// say little about those that take long.
class RemainingTime {
 public:
  /// `fraction` of the job, 0…1, was done after this many seconds.
  void note(double seconds, double fraction);
  /// In seconds; none before 2 % or half a second are done, or while there is no progress.
  std::optional<double> left(double seconds) const;

 private:
  struct Mark {
    double seconds, fraction;
  };
  std::vector<Mark> marks_;  ///< a quarter of a second apart or more, the first at 0
};
/// "8 s", "2 min 05 s", "1 h 12 min"
QString formatDuration(double seconds);

/// Every job of this run of the program, newest first. Lives on the UI thread.
class JobListModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    name,  ///< including where it runs
    state,
    progress,
    remaining,
    action,
    stage,
    columns
  };  ///< action: room for a button
  enum Role { fractionRole = Qt::UserRole, stateRole, idRole };

  using QAbstractTableModel::QAbstractTableModel;

  /// `where`: the title of its run or of the processor; "": listed with files. `rerun` may be empty.
  JobId add(const QString& jobName, const QString& where, std::function<void()> rerun = {});
  void setWhere(JobId id, const QString& where);
  void setTicket(JobId id, Ticket ticket);
  void report(JobId id, const JobReport& report);
  void log(JobId id, const QString& line);
  /// Replaces the line below the log; "": none.
  void setLastWord(JobId id, const QString& line);

  /// A key figure of a job's result.
  struct Figure {
    QString name, value, help;
    friend bool operator==(const Figure&, const Figure&) = default;
  };
  void setFigures(JobId id, std::vector<Figure> figures);
  const std::vector<Figure>& figuresOf(JobId id) const;
  /// Its log should be read, e.g. because of a warning.
  void callAttention(JobId id);
  bool wantsAttention(JobId id) const;

  void cancel(JobId id);
  void cancelAll();
  bool canCancel(JobId id) const;
  void rerun(JobId id);
  bool canRerun(JobId id) const;
  /// Removes a finished job from the list.
  void remove(JobId id);
  /// Removes all finished jobs.
  void clearFinished();

  JobId idAt(int row) const;
  int rowOf(JobId id) const;  ///< −1: not in the list
  JobState stateOf(JobId id) const;
  QStringList logOf(JobId id) const;
  int active() const;     ///< queued and running ones
  JobId running() const;  ///< the running one that started first; 0: none
  /// "12 s left", "took 3 s" or nothing.
  QString timeOf(JobId id) const;

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
    QElapsedTimer told;  ///< since progress was last announced to the views
    RemainingTime left;
    double seconds = 0;  ///< total, once it has finished
    QStringList log;
    QString lastWord;
    std::vector<Figure> figures;
    bool attention = false;
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
