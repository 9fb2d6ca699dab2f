#include "ui/model/choices/study_model.h"

#include "core/base/error.h"
#include "core/bids/report/outliers.h"
#include "core/io/files.h"
#include "ui/model/layers/readout.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace sulcus::ui::model {
namespace {

namespace fs = std::filesystem;

QString shownText(const std::string& text) { return QString::fromStdString(text); }

QString fewText() {
  return StudyModel::tr("Outliers are marked if there are at least %1 participants.").arg(bids::kFewestForZ);
}

}  // namespace

QString StudyModel::columnTitle(const std::string& column) const {
  QString title = shownText(column).replace(QLatin1Char('_'), QLatin1Char(' '));
  // With a single analysis its name is redundant.
  std::vector<const Analysis*> there;
  for (const Analysis& analysis : analyses_)
    if (std::ranges::any_of(review_.columns,
                            [&](const auto& c) { return c.starts_with(analysis.name + "_"); }))
      there.push_back(&analysis);
  if (there.size() != 1) return title;
  const QString prefix = QString::fromStdString(there.front()->name) + QLatin1Char(' ');
  return title.startsWith(prefix) ? title.mid(prefix.size()) : title;
}

StudyModel::StudyModel(const std::vector<Analysis>& analyses, LayerStack& layers, ViewState& view,
                       jobs::FileJobs& files, QObject* parent)
    : QAbstractTableModel(parent), analyses_(analyses), layers_(layers), view_(view), files_(files) {}

bool StudyModel::isStudy(const QString& folder) {
  std::error_code fault;
  return fs::is_regular_file(fs::path(folder.toStdString()) / "dataset_description.json", fault);
}

void StudyModel::open(const QString& folder) {
  const auto read = std::make_shared<bids::Review>();
  files_.work(
      tr("Open study"),
      [read, folder, &analyses = analyses_](const Progress&) {
        *read = bids::openReview(fs::absolute(folder.toStdString()), analyses);
      },
      [this, read, folder] {
        set(std::move(*read));
        folder_ = folder;
        emit opened();
        show(0);
      });
}

void StudyModel::close() {
  if (!isOpen()) return;
  set({});
  emit closed();
}

void StudyModel::set(bids::Review review) {
  beginResetModel();
  review_ = std::move(review);
  judgeColumns();
  missing_.clear();
  look_.reset();
  current_ = wanted_ = -1;
  summary_.clear();
  endResetModel();
}

void StudyModel::judgeColumns() {
  figures_.assign(review_.columns.size(), std::vector<Figure>(review_.subjects.size()));
  for (std::size_t c = 0; c < review_.columns.size(); ++c) {
    std::vector<double> values;
    for (const bids::ReviewedSubject& subject : review_.subjects) {
      bool isNumber = false;
      const double value = shownText(subject.cells[c]).toDouble(&isNumber);
      values.push_back(isNumber ? value : NAN);
    }
    double low = INFINITY, high = -INFINITY;
    for (const double value : values)
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    if (!(high > low)) continue;
    const std::vector<double> z = bids::robustZ(values);
    const bool judged = !review_.columns[c].ends_with("seconds");  // like bids::judges()
    for (std::size_t row = 0; row < values.size(); ++row)
      figures_[c][row] = {(values[row] - low) / (high - low), judged && std::abs(z[row]) > bids::kOutlierZ};
  }
}

bool StudyModel::canStep(int rows) const {
  return isOpen() && wanted_ + rows >= 0 && wanted_ + rows < int(review_.subjects.size());
}

std::vector<StudyModel::ReviewedFile> StudyModel::wantedOf(const std::string& subject) const {
  std::vector<ReviewedFile> all;
  // Nothing determines what to show: initially, and after everything was removed.
  if (current_ < 0 || (layers_.empty() && missing_.empty())) {
    for (const auto& file : review_.files)
      if (fs::path own = bids::fileOf(file, review_.filesOf, subject); !isShown(own))
        all.push_back({{}, int(layers_.layers().size() + all.size()), std::move(own), {}, {}});
    return all;
  }
  const std::string& before = review_.subjects[std::size_t(current_)].name;
  for (const LayerState& state : layers_.layers()) {
    const fs::path file = bids::fileOf(state.layer->source, before, subject);
    if (!state.layer->source.empty() && file != state.layer->source)
      all.push_back({state, layers_.positionOf(state.id), file, {}, {}});
  }
  for (ReviewedFile wanted : missing_) {
    wanted.file = bids::fileOf(wanted.file, before, subject);
    all.push_back(std::move(wanted));
  }
  return all;
}

void StudyModel::show(int row) {
  if (row < 0 || row >= int(review_.subjects.size()) || row == wanted_) return;
  wanted_ = row;
  // The user may meanwhile go to another participant, or open another study.
  const auto isWanted = [this, row, folder = review_.folder] {
    return row == wanted_ && folder == review_.folder;
  };
  const auto wanted =
      std::make_shared<std::vector<ReviewedFile>>(wantedOf(review_.subjects[std::size_t(row)].name));
  files_.work(
      tr("Open %1").arg(shownText(review_.subjects[std::size_t(row)].name)),
      [wanted](const Progress& progress) {
        for (ReviewedFile& one : *wanted) {
          try {
            one.layer = std::make_shared<const Layer>(io::openLayer(one.file, progress));
          } catch (const Error& fault) {
            one.problem = fault.message();
          }
        }
      },
      [this, row, wanted, isWanted] {
        if (isWanted()) place(row, std::move(*wanted));
      },
      [this, isWanted] {
        if (isWanted()) wanted_ = current_;
      });
}

void StudyModel::place(int row, std::vector<ReviewedFile> wanted) {
  const std::string before = current_ < 0 ? review_.filesOf : review_.subjects[std::size_t(current_)].name;
  const bids::ReviewedSubject& subject = review_.subjects[std::size_t(row)];
  const LayerState* chosen = current_ < 0 ? nullptr : layers_.find(layers_.current());
  const QString current = chosen ? chosen->name : QString();
  if (!layers_.empty() && current_ >= 0) look_ = ViewFrame{view_.crosshair(), view_.center(), view_.extent()};
  const auto renamed = [&](const QString& name) {
    return shownText(bids::fileOf(name.toStdString(), before, subject.name).string());
  };
  missing_.clear();
  QString problem;
  LayerPtr first;  // shown where nothing was
  for (ReviewedFile& one : wanted) {
    place(one, renamed(one.state.name));
    if (!first) first = one.layer;
    if (one.layer) continue;
    if (problem.isEmpty()) problem = localizeForWindow(one.problem);
    missing_.push_back(std::move(one));
  }
  QString hidden;
  if (current_ >= 0 && hideWhatHasNoFile())
    hidden = tr("results and drawings for %1 are hidden").arg(shownText(before));
  current_ = row;
  for (const LayerState& state : layers_.layers())
    if (!current.isEmpty() && state.name == renamed(current)) layers_.setCurrent(state.id);
  placeView(first.get());
  summary_ = summaryOf(subject, hidden, problem);
  emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  emit shown();
}

void StudyModel::place(ReviewedFile& wanted, const QString& name) {
  LayerState& state = wanted.state;
  if (!wanted.layer) {
    layers_.remove(state.id);
    state.id = 0;
    state.layer = nullptr;
  } else if (layers_.find(state.id)) {
    layers_.replaceContent(state.id, wanted.layer);
    layers_.rename(state.id, name);
  } else {
    const LayerId id = layers_.add(wanted.layer);
    if (!state.name.isEmpty()) {
      layers_.setVolume(id, state.volume);
      layers_.setDisplay(id, state.display);
    }
    layers_.move(id, wanted.position);
  }
}

void StudyModel::placeView(const Layer* first) {
  if (look_) {
    view_.setCenter(look_->center);
    view_.setExtent(look_->extent);
    view_.setCrosshair(look_->crosshair);
  } else if (first) {
    frameOn(*first, view_);
  }
}

QString StudyModel::summaryOf(const bids::ReviewedSubject& subject, const QString& hidden,
                              const QString& problem) const {
  QStringList parts{
      tr("%1, %2 of %3").arg(shownText(subject.name)).arg(current_ + 1).arg(review_.subjects.size())};
  if (!hidden.isEmpty()) parts << hidden;
  if (!subject.problem.empty())
    parts << shownText(subject.problem);
  else if (!problem.isEmpty())
    parts << problem;
  else if (!review_.judged)
    parts << fewText();
  return parts.join(QStringLiteral(" · "));
}

bool StudyModel::isShown(const fs::path& file) const {
  return std::ranges::any_of(layers_.layers(),
                             [&](const LayerState& state) { return state.layer->source == file; });
}

bool StudyModel::hideWhatHasNoFile() {
  std::vector<LayerId> made;
  for (const LayerState& state : layers_.layers())
    if ((state.origin == Origin::computed || state.unsaved) && state.layer->source.empty() &&
        state.display.visible)
      made.push_back(state.id);
  for (const LayerId id : made) layers_.setVisible(id, false);
  return !made.empty();
}

bool StudyModel::hasScansFor(const std::string& analysis) const {
  return std::ranges::find(review_.analyses, analysis) != review_.analyses.end();
}

QStringList StudyModel::unopenedScans() const {
  QStringList files;
  if (current_ < 0) return files;
  for (const fs::path& scan : review_.subjects[std::size_t(current_)].scans)
    if (!isShown(scan)) files << shownText(scan.string());
  return files;
}

bool StudyModel::isFilled(int column) const {
  for (int row = 0; row < rowCount(); ++row) {
    const QString text = index(row, column).data().toString();
    if (!text.isEmpty() && text != QStringLiteral("n/a")) return true;
  }
  return false;
}

bool StudyModel::flagged() const { return current_ >= 0 && review_.subjects[std::size_t(current_)].flagged; }

void StudyModel::setFlagged(bool on) {
  if (current_ >= 0) setData(index(current_, flag), on ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void StudyModel::save(int row) {
  files_.work(
      tr("Save flags and comments"),
      [folder = review_.folder, subject = review_.subjects[std::size_t(row)]](const Progress&) {
        bids::saveReview(folder, subject);
      },
      [] {});
}

int StudyModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(review_.subjects.size());
}

int StudyModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !isOpen() ? 0 : firstCell + int(review_.columns.size());
}

QVariant StudyModel::data(const QModelIndex& index, int role) const {
  const bids::ReviewedSubject& subject = review_.subjects[std::size_t(index.row())];
  const int column = index.column();
  if (role == Qt::CheckStateRole && column == flag) return subject.flagged ? Qt::Checked : Qt::Unchecked;
  if (role == Qt::ToolTipRole && !subject.problem.empty()) return shownText(subject.problem);
  if (role == Qt::ToolTipRole && column == furthest && !review_.judged) return fewText();
  if (role == shareRole || role == farRole) return figureData(index, role);
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (column) {
    case participant:
      return shownText(subject.name);
    case flag:
      return {};
    case comment:
      return shownText(subject.comment);
    case furthest:
      if (!review_.judged) return tr("too few");
      return subject.furthest > 0 ? QString::number(subject.furthest, 'f', 1) : QString();
    default:
      return shownText(subject.cells[std::size_t(column - firstCell)]);
  }
}

QVariant StudyModel::figureData(const QModelIndex& index, int role) const {
  const int column = index.column(), row = index.row();
  if (role == farRole && column == furthest)
    return review_.subjects[std::size_t(row)].furthest > bids::kOutlierZ;
  if (column < firstCell) return {};
  const Figure& figure = figures_[std::size_t(column - firstCell)][std::size_t(row)];
  if (role == farRole) return figure.far;
  return std::isfinite(figure.share) ? QVariant(figure.share) : QVariant();
}

bool StudyModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  bids::ReviewedSubject& subject = review_.subjects[std::size_t(index.row())];
  if (index.column() == flag && role == Qt::CheckStateRole)
    subject.flagged = value.toInt() == Qt::Checked;
  else if (index.column() == comment && role == Qt::EditRole)
    subject.comment = value.toString().simplified().toStdString();
  else
    return false;
  emit dataChanged(index, index);
  save(index.row());
  return true;
}

QVariant StudyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::ToolTipRole && section == furthest)
    return tr(
        "Largest deviation of a figure from the median over participants, in robust standard deviations");
  if (role == Qt::ToolTipRole && section >= firstCell)
    return shownText(review_.columns[std::size_t(section - firstCell)]);
  if (role != Qt::DisplayRole) return {};
  const QString own[firstCell] = {tr("participant"), tr("flag"), tr("comment"), tr("largest |z|")};
  if (section < firstCell) return own[section];
  // The tool tip has the file's spelling; here it is in plain words.
  return columnTitle(review_.columns[std::size_t(section - firstCell)]);
}

Qt::ItemFlags StudyModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.column() == flag) flags |= Qt::ItemIsUserCheckable;
  if (index.column() == comment) flags |= Qt::ItemIsEditable;
  return flags;
}

}  // namespace sulcus::ui::model
