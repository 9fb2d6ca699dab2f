#include "ui/model/runs/job_list_model.h"

#include "ui/model/text/localize.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sulcus::ui::model {
namespace {

bool over(JobState state) {
  return state == JobState::done || state == JobState::failed || state == JobState::cancelled;
}

}  // namespace

void RemainingTime::note(double seconds, double fraction) {
  if (marks_.empty()) marks_.push_back({0, 0});
  if (seconds - marks_.back().seconds >= 0.25 && fraction > marks_.back().fraction)
    marks_.push_back({seconds, fraction});
}

std::optional<double> RemainingTime::left(double seconds) const {
  if (marks_.empty() || marks_.back().fraction < 0.02 || seconds < 0.5) return std::nullopt;
  const auto later = std::upper_bound(marks_.begin(), marks_.end(), 0.5 * seconds,
                                      [](double half, const Mark& mark) { return half < mark.seconds; });
  const Mark& from = *std::prev(later);
  const double done = marks_.back().fraction - from.fraction;
  if (!(done > 0)) return std::nullopt;
  return (seconds - from.seconds) / done * (1 - std::min(marks_.back().fraction, 1.0));
}

QString formatDuration(double seconds) {
  if (seconds < 9.95) return JobListModel::tr("%1 s").arg(seconds, 0, 'f', 1);
  const auto whole = std::llround(seconds);
  if (whole < 60) return JobListModel::tr("%1 s").arg(whole);
  if (whole < 3600)
    return JobListModel::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
  return JobListModel::tr("%1 h %2 min").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QLatin1Char('0'));
}

JobId JobListModel::add(const QString& jobName, const QString& where, std::function<void()> rerun) {
  auto job = std::make_unique<Job>();
  job->id = nextId_++;
  job->name = jobName;
  job->where = where;
  job->rerun = std::move(rerun);
  const JobId id = job->id;
  beginInsertRows({}, 0, 0);
  jobs_.insert(jobs_.begin(), std::move(job));
  endInsertRows();
  constexpr int kMostKept = 500;  // jobs; a window may be open for weeks
  for (int row = rowCount() - 1; row > 0 && rowCount() > kMostKept; --row) remove(idAt(row));
  return id;
}

void JobListModel::setWhere(JobId id, const QString& where) {
  Job* job = find(id);
  if (!job || job->where == where) return;
  job->where = where;
  changed(id);
}

void JobListModel::setTicket(JobId id, Ticket ticket) {
  if (Job* job = find(id)) job->ticket = std::move(ticket);
}

void JobListModel::report(JobId id, const JobReport& report) {
  Job* job = find(id);
  if (!job || over(job->last.state)) return;
  if (report.state == JobState::running && !job->started.isValid()) job->started.start();
  // Each change redraws the window, which takes tens of milliseconds without a GPU.
  constexpr qint64 kMillisecondsBetween = 150;
  const bool tell =
      report.state != job->last.state || !job->told.isValid() || job->told.elapsed() >= kMillisecondsBetween;
  const double fraction = std::max(job->last.fraction, report.fraction);
  job->last = report;
  job->last.fraction = fraction;
  if (job->started.isValid()) job->left.note(double(job->started.elapsed()) / 1000, fraction);
  if (!report.error.empty()) {
    log(id, localizeForWindow(report.error));
    callAttention(id);
  }
  if (over(report.state)) job->seconds = job->started.isValid() ? double(job->started.elapsed()) / 1000 : 0;
  if (tell) {
    job->told.start();
    changed(id);
  }
  if (over(report.state)) emit finished(id, report.state);
}

void JobListModel::log(JobId id, const QString& line) {
  Job* job = find(id);
  if (!job) return;
  job->log << line;
  emit logged(id);
}

void JobListModel::setLastWord(JobId id, const QString& line) {
  Job* job = find(id);
  if (!job || job->lastWord == line) return;
  job->lastWord = line;
  emit logged(id);
}

void JobListModel::setFigures(JobId id, std::vector<Figure> figures) {
  Job* job = find(id);
  if (!job || job->figures == figures) return;
  job->figures = std::move(figures);
  emit logged(id);
}

const std::vector<JobListModel::Figure>& JobListModel::figuresOf(JobId id) const {
  static const std::vector<Figure> none;
  const Job* job = find(id);
  return job ? job->figures : none;
}

void JobListModel::callAttention(JobId id) {
  Job* job = find(id);
  if (!job || std::exchange(job->attention, true)) return;
  emit logged(id);
}

bool JobListModel::wantsAttention(JobId id) const {
  const Job* job = find(id);
  return job && job->attention;
}

void JobListModel::cancel(JobId id) {
  Job* job = find(id);
  if (!job || !canCancel(id)) return;
  job->cancelling = true;
  job->ticket.cancel();
  changed(id);
}

void JobListModel::cancelAll() {
  for (int row = 0; row < rowCount(); ++row) cancel(idAt(row));
}

bool JobListModel::canCancel(JobId id) const {
  const Job* job = find(id);
  return job && !over(job->last.state) && !job->cancelling;
}

void JobListModel::rerun(JobId id) {
  if (!canRerun(id)) return;
  const auto again = find(id)->rerun;
  again();
}

bool JobListModel::canRerun(JobId id) const {
  const Job* job = find(id);
  return job && over(job->last.state) && job->rerun;
}

void JobListModel::remove(JobId id) {
  const int row = rowOf(id);
  if (row < 0 || !over(jobs_[std::size_t(row)]->last.state)) return;
  beginRemoveRows({}, row, row);
  jobs_.erase(jobs_.begin() + row);
  endRemoveRows();
}

void JobListModel::clearFinished() {
  for (int row = rowCount() - 1; row >= 0; --row) remove(idAt(row));
}

JobId JobListModel::idAt(int row) const {
  return row >= 0 && row < int(jobs_.size()) ? jobs_[std::size_t(row)]->id : 0;
}

int JobListModel::rowOf(JobId id) const {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& job) { return job->id == id; });
  return found == jobs_.end() ? -1 : int(found - jobs_.begin());
}

JobState JobListModel::stateOf(JobId id) const {
  const Job* job = find(id);
  return job ? job->last.state : JobState::cancelled;
}

QStringList JobListModel::logOf(JobId id) const {
  const Job* job = find(id);
  if (!job) return {};
  return job->lastWord.isEmpty() ? job->log : job->log + QStringList{job->lastWord};
}

JobId JobListModel::running() const {
  const auto found = std::find_if(jobs_.rbegin(), jobs_.rend(),
                                  [](const auto& job) { return job->last.state == JobState::running; });
  return found == jobs_.rend() ? 0 : (*found)->id;
}

QString JobListModel::timeOf(JobId id) const {
  const Job* job = find(id);
  return job ? remainingText(*job) : QString();
}

int JobListModel::active() const {
  return int(
      std::count_if(jobs_.begin(), jobs_.end(), [](const auto& job) { return !over(job->last.state); }));
}

int JobListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(jobs_.size());
}
int JobListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant JobListModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= int(jobs_.size())) return {};
  const Job& job = *jobs_[std::size_t(index.row())];
  if (role == fractionRole) return job.last.fraction;
  if (role == stateRole) return int(job.last.state);
  if (role == idRole) return job.id;
  if (role == Qt::ToolTipRole) return logOf(job.id).join(QLatin1Char('\n'));
  if (role == Qt::TextAlignmentRole && index.column() == remaining)
    return int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case name:
      return job.where.isEmpty() ? job.name : QStringLiteral("%1 · %2").arg(job.name, job.where);
    case state:
      return stateText(job);
    case progress:
      return tr("%1 %").arg(int(job.last.fraction * 100));
    case remaining:
      return remainingText(job);
    case stage:
      return job.last.state == JobState::failed ? localizeForWindow(job.last.error) : words(job.last.stage);
    default:
      return {};
  }
}

QVariant JobListModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  const QString titles[columns] = {tr("Job"), tr("State"), tr("Progress"), tr("Time"), {}, tr("Stage")};
  return section < columns ? titles[section] : QVariant();
}

JobListModel::Job* JobListModel::find(JobId id) {
  const int row = rowOf(id);
  return row < 0 ? nullptr : jobs_[std::size_t(row)].get();
}

const JobListModel::Job* JobListModel::find(JobId id) const {
  const int row = rowOf(id);
  return row < 0 ? nullptr : jobs_[std::size_t(row)].get();
}

QString JobListModel::stateText(const Job& job) const {
  if (job.cancelling && !over(job.last.state)) return tr("cancelling…");
  const QString texts[] = {tr("queued"), tr("running"), tr("done"), tr("failed"), tr("cancelled")};
  return texts[int(job.last.state)];
}

QString JobListModel::remainingText(const Job& job) const {
  if (over(job.last.state)) return tr("took %1").arg(formatDuration(job.seconds));
  if (!job.started.isValid()) return {};
  const auto left = job.left.left(double(job.started.elapsed()) / 1000);
  return left ? tr("%1 left").arg(formatDuration(*left)) : QString();
}

void JobListModel::changed(JobId id) {
  const int row = rowOf(id);
  emit dataChanged(index(row, 0), index(row, columns - 1));
}

}  // namespace sulcus::ui::model
