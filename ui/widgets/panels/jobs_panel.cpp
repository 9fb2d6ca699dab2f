#include "ui/widgets/panels/jobs_panel.h"

#include "ui/widgets/controls/widget_help.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

constexpr int kTableEms = 52, kLogEms = 34,
              kStageEms = 8;  ///< minimum widths at which rows, sentences and the stage are readable

constexpr int kLeastName = 10;
constexpr int kWidths[model::JobListModel::columns] = {20, 7, 7, 11, 6, 0};  ///< ems

/// A progress bar shows the same as its text, which is therefore not drawn.
class NoTextDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->text.clear();
  }
};

}  // namespace

JobsPanel::JobsPanel(model::JobListModel& jobs, QWidget* parent) : QWidget(parent), jobs_(jobs) {
  table_ = named("jobs", new QTableView, tr("Jobs"));
  table_->setModel(&jobs_);
  table_->setItemDelegateForColumn(model::JobListModel::progress, new NoTextDelegate(table_));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the last column shrinks
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  QHeaderView* header = table_->horizontalHeader();
  header->setStretchLastSection(true);
  header->hide();  // each cell is self-explanatory
  const int em = fontMetrics().horizontalAdvance(QLatin1Char('M'));
  for (int column = 0; column < model::JobListModel::stage; ++column)
    table_->setColumnWidth(column, kWidths[column] * em);
  table_->setTextElideMode(Qt::ElideMiddle);  // titles of runs differ at their ends

  log_ = named("log", new QPlainTextEdit);
  log_->setReadOnly(true);
  log_->setFrameShape(QFrame::NoFrame);
  log_->setAccessibleName(tr("Log of the chosen job"));
  log_->setPlaceholderText(tr("Messages of the selected job"));
  auto* split = split_ = new QSplitter;
  split->setHandleWidth(1);
  split->addWidget(table_);
  split->addWidget(makeReport());
  split->setChildrenCollapsible(false);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 2);
  split->setSizes({kTableEms * em, kLogEms * em});
  auto* line = tight<QHBoxLayout>(this);
  line->addWidget(split);

  connect(split, &QSplitter::splitterMoved, this, &JobsPanel::fitStage);
  connect(&jobs_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
    for (int row = first; row <= last; ++row) buildRow(row);
    table_->selectRow(first);
  });
  connect(&jobs_, &QAbstractItemModel::dataChanged, this,
          [this](const QModelIndex& first, const QModelIndex& last) {
            for (int row = first.row(); row <= last.row(); ++row) showRow(row);
          });
  connect(&jobs_, &model::JobListModel::logged, this, [this](int) { showLog(); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &JobsPanel::showLog);
  for (int row = 0; row < jobs_.rowCount(); ++row) buildRow(row);
}

QWidget* JobsPanel::makeReport() {
  figures_ = named("figures", new QTableWidget(0, 2), tr("Key figures of the chosen job"));
  figures_->setFrameShape(QFrame::NoFrame);
  figures_->setShowGrid(false);
  figures_->setSelectionMode(QAbstractItemView::NoSelection);
  figures_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  figures_->setFocusPolicy(Qt::TabFocus);
  figures_->horizontalHeader()->hide();
  figures_->horizontalHeader()->setStretchLastSection(true);
  figures_->verticalHeader()->hide();
  figures_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  details_ = named("details", foldButton(log_));
  details_->setText(tr("Details"));
  auto* report = new QWidget;
  auto* column = tight<QVBoxLayout>(report, 2);
  column->addWidget(figures_, 1);
  column->addWidget(details_);
  column->addWidget(log_, 1);
  showLog();
  return report;
}

void JobsPanel::showFigures(model::JobId job) {
  const auto& figures = jobs_.figuresOf(job);
  figures_->setRowCount(int(figures.size()));
  for (int row = 0; row < int(figures.size()); ++row) {
    const auto& [name, value, help] = figures[std::size_t(row)];
    int column = 0;
    for (const QString& text : {name, value}) {
      auto* cell = new QTableWidgetItem(text);
      cell->setToolTip(help);
      if (column == 0) cell->setForeground(palette().color(QPalette::PlaceholderText));
      figures_->setItem(row, column++, cell);
    }
  }
  figures_->resizeColumnToContents(0);
  figures_->setVisible(!figures.empty());
  details_->setVisible(!figures.empty());
  // A job without figures, or one with a warning, shows its log at once.
  const bool open = figures.empty() || jobs_.wantsAttention(job);
  if (std::exchange(shown_, {job, open}) == std::pair(job, open)) return;  // from then on the user decides
  details_->setChecked(open);
  log_->setVisible(open);
}

void JobsPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Next to a table that needs most of the width, sentences would be squeezed into a strip: then they are
  // below it.
  const int em = fontMetrics().horizontalAdvance(QLatin1Char('M'));
  const Qt::Orientation wanted = width() < (kTableEms + kLogEms) * em ? Qt::Vertical : Qt::Horizontal;
  if (split_->orientation() != wanted) {
    split_->setOrientation(wanted);
    const int all = wanted == Qt::Vertical ? height() : width();
    const int table = wanted == Qt::Vertical ? all / 3 : kTableEms * em;
    split_->setSizes({table, all - table});
  }
  fitStage();
}

void JobsPanel::fitStage() {
  const int em = fontMetrics().horizontalAdvance(QLatin1Char('M'));
  const int table = split_->orientation() == Qt::Vertical ? split_->width() : split_->sizes().front();
  const bool narrow = table < (kTableEms + kStageEms) * em;
  table_->setColumnHidden(model::JobListModel::stage, narrow);
  int others = 0;
  for (int column = model::JobListModel::state; column < model::JobListModel::stage; ++column)
    others += kWidths[column] * em;
  table_->setColumnWidth(model::JobListModel::name,
                         narrow ? std::max(kLeastName * em, table - others - 2) : kWidths[0] * em);
}

void JobsPanel::buildRow(int row) {
  const model::JobId job = jobs_.idAt(row);
  auto* bar = new QProgressBar;
  bar->setRange(0, 1000);
  bar->setTextVisible(false);
  bar->setAccessibleName(tr("Progress"));
  table_->setIndexWidget(jobs_.index(row, model::JobListModel::progress), bar);
  auto* button = new QToolButton;
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::StrongFocus);
  connect(button, &QToolButton::clicked, this,
          [this, job] { jobs_.canCancel(job) ? jobs_.cancel(job) : jobs_.rerun(job); });
  table_->setIndexWidget(jobs_.index(row, model::JobListModel::action), button);
  showRow(row);
}

void JobsPanel::showRow(int row) {
  const model::JobId job = jobs_.idAt(row);
  const JobState state = jobs_.stateOf(job);
  auto* bar =
      qobject_cast<QProgressBar*>(table_->indexWidget(jobs_.index(row, model::JobListModel::progress)));
  auto* button =
      qobject_cast<QToolButton*>(table_->indexWidget(jobs_.index(row, model::JobListModel::action)));
  if (!button) return;
  const bool alive = state == JobState::queued || state == JobState::running;
  if (bar) bar->setValue(int(jobs_.index(row, 0).data(model::JobListModel::fractionRole).toDouble() * 1000));
  if (bar && !alive)  // a finished job needs none
    table_->setIndexWidget(jobs_.index(row, model::JobListModel::progress), nullptr);
  const bool rerun = jobs_.canRerun(job);
  button->setText(rerun ? tr("Re-run") : QString());
  if (alive) button->setText(tr("Cancel"));
  button->setToolTip(alive ? tr("Stops the job and discards its results")
                           : tr("Runs the job again with the same inputs and parameters"));
  button->setEnabled(alive ? jobs_.canCancel(job) : rerun);
  button->setAccessibleName(button->text() + QLatin1Char(' ') +
                            jobs_.index(row, model::JobListModel::name).data().toString());
}

void JobsPanel::showLog() {
  const model::JobId job = jobs_.idAt(table_->currentIndex().row());
  const QString text = jobs_.logOf(job).join(QLatin1Char('\n'));
  if (log_->toPlainText() != text) log_->setPlainText(text);
  showFigures(job);
}

}  // namespace sulcus::ui::widgets
