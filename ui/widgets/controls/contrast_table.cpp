#include "ui/widgets/controls/contrast_table.h"

#include <QHeaderView>
#include <QSignalBlocker>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

constexpr int kMostRows = 6;  ///< visible without scrolling
constexpr int kWidest = 130, kFewNames = 3;

QTableWidgetItem* cell(const QString& text, bool editable = true) {
  auto* made = new QTableWidgetItem(text);
  if (!editable) made->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  return made;
}

}  // namespace

ContrastTable::ContrastTable(QWidget* parent) : QTableWidget(parent) {
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setDefaultSectionSize(7 * fontMetrics().averageCharWidth());
  setEditTriggers(QAbstractItemView::AllEditTriggers);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setTabKeyNavigation(true);
  connect(this, &QTableWidget::cellChanged, this, &ContrastTable::take);
  hide();
}

void ContrastTable::setNames(const std::vector<std::string>& names) {
  QStringList wanted;
  for (const std::string& name : names) wanted << QString::fromStdString(name);
  if (wanted == names_) return;
  names_ = wanted;
  rows_ = model::contrastRows(text_, names_);
  fill();
}

void ContrastTable::setText(const QString& text) {
  if (text == text_) return;
  text_ = text;
  rows_ = model::contrastRows(text_, names_);
  fill();
}

void ContrastTable::fill() {
  const QSignalBlocker quiet(this);
  setVisible(!names_.isEmpty());
  setColumnCount(int(names_.size()) + 2);
  setHorizontalHeaderLabels(QStringList{tr("Contrast")} + names_ + QStringList{tr("F")});
  const int last = columnCount() - 1;
  horizontalHeaderItem(last)->setToolTip(
      tr("Rows with the same name here form one F contrast: does any of them differ from 0?"));
  for (int c = 0; c < int(names_.size()); ++c) horizontalHeaderItem(c + 1)->setToolTip(names_[c]);
  const int character = fontMetrics().averageCharWidth();
  for (int c = 1; c <= last; ++c)
    setColumnWidth(c, std::clamp(horizontalHeader()->sectionSizeHint(c), 5 * character, kWidest));
  // The names get the room that a few regressors leave; with many regressors the table scrolls.
  const bool few = names_.size() <= kFewNames;
  horizontalHeader()->setSectionResizeMode(0, few ? QHeaderView::Stretch : QHeaderView::Interactive);
  if (!few) setColumnWidth(0, 14 * character);
  // The intercept is seldom part of a contrast: it is shown only where it is.
  for (int c = 0; c < int(names_.size()); ++c)
    setColumnHidden(c + 1, names_[c] == QLatin1String("intercept") &&
                               std::ranges::all_of(rows_, [c](const model::ContrastRow& row) {
                                 return row.weights.empty() || row.weights[std::size_t(c)] == 0;
                               }));
  setRowCount(int(rows_.size()) + 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) fillRow(int(r), rows_[r]);
  model::ContrastRow added;
  added.weights.resize(std::size_t(names_.size()));
  fillRow(int(rows_.size()), added);
  const int rows = std::clamp(rowCount(), 2, kMostRows);
  setFixedHeight(rows * verticalHeader()->defaultSectionSize() + horizontalHeader()->sizeHint().height() +
                 2 * frameWidth() + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
}

void ContrastTable::fillRow(int r, const model::ContrastRow& row) {
  const bool isSum = !row.weights.empty();  // else it is edited as text
  setItem(r, 0, cell(isSum ? row.name : row.written));
  for (int c = 0; c < int(names_.size()); ++c) {
    const double weight = isSum ? row.weights[std::size_t(c)] : 0;
    setItem(r, c + 1, cell(weight == 0 ? QString() : QString::number(weight), isSum));
    item(r, c + 1)->setTextAlignment(Qt::AlignCenter);
  }
  setItem(r, columnCount() - 1, cell(row.joint, isSum));
}

void ContrastTable::take(int row, int column) {
  const QString typed = item(row, column)->text().trimmed();
  if (row == int(rows_.size())) {
    if (typed.isEmpty()) return;
    rows_.push_back({{}, std::vector<double>(std::size_t(names_.size()), 0.0), {}, {}});
  }
  model::ContrastRow& changed = rows_[std::size_t(row)];
  if (column == 0)
    takeName(changed, typed);
  else if (column == columnCount() - 1)
    changed.joint = typed;
  else
    changed.weights[std::size_t(column - 1)] =
        QString(typed).replace(QLatin1Char(','), QLatin1Char('.')).toDouble();
  text_ = model::contrastText(rows_, names_);
  // Deferred: the editor of the changed cell is still active.
  QMetaObject::invokeMethod(this, &ContrastTable::fill, Qt::QueuedConnection);
  emit edited(text_);
}

void ContrastTable::takeName(model::ContrastRow& row, const QString& typed) {
  // "faces - houses" is itself a contrast, not the name of an empty one.
  const bool isEmpty = std::ranges::all_of(row.weights, [](double weight) { return weight == 0; });
  const auto read = model::contrastRows(typed, names_);
  if (isEmpty && read.size() == 1 && !read.front().weights.empty())
    row = read.front();
  else if (row.weights.empty())
    row.written = typed;
  else
    row.name = typed;
}

}  // namespace sulcus::ui::widgets
