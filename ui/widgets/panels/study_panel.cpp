#include "ui/widgets/panels/study_panel.h"

#include "ui/widgets/controls/label.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

/// Numbers on a bar that shows their position among those of the others; outliers are red.
class FigureDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    constexpr int kBar = 3, kInset = 4;
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(model::StudyModel::shareRole);
    if (!share.isValid()) return;
    const QRect cell = option.rect.adjusted(kInset, 0, -kInset, -1);
    QRect bar(cell.left(), cell.bottom() - kBar, cell.width(), kBar);
    painter->fillRect(bar, theme().line);
    bar.setWidth(std::max(2, int(share.toDouble() * cell.width())));
    painter->fillRect(bar, index.data(model::StudyModel::farRole).toBool() ? theme().alarm : theme().accent);
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (!index.data(model::StudyModel::farRole).toBool()) return;
    option->palette.setColor(QPalette::Text, theme().alarm);
    option->palette.setColor(QPalette::HighlightedText, theme().alarm);
    option->font.setBold(true);
  }
};

}  // namespace

StudyPanel::StudyPanel(model::StudyModel& study, QWidget* parent) : QWidget(parent), study_(study) {
  summary_ = named("studySummary", quietLabel({}));
  summary_->setContentsMargins(8, 6, 8, 0);
  table_ = named("study", new QTableView, tr("Participants of the study, worst first"));
  table_->setModel(&study_);
  table_->setItemDelegate(new FigureDelegate(table_));
  table_->setFrameShape(QFrame::NoFrame);
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);  // like the cells
  table_->installEventFilter(this);
  auto* column = tight<QVBoxLayout>(this, 4);
  column->addWidget(summary_);
  column->addWidget(makeBegin());
  column->addWidget(table_, 1);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() != model::StudyModel::flag) study_.show(index.row());
  });
  connect(&study_, &model::StudyModel::opened, this, &StudyPanel::fitColumns);
  connect(&study_, &model::StudyModel::shown, this, &StudyPanel::markShown);
  connect(&study_, &model::StudyModel::modelReset, this, &StudyPanel::markShown);
  markShown();
}

QWidget* StudyPanel::makeBegin() {
  auto* said = new Label(tr(
      "No results yet: run what is open in the panel on the right, or the whole study with this command."));
  said->setWordWrap(true);
  scans_ = toolButton("openScans", {},
                      tr("Opens the other scans of this participant; those of the next ones follow"));
  command_ = named("studyCommand", new QLineEdit, tr("Command that runs the whole study"),
                   tr("The current analysis with its parameters, on every scan of the study"));
  command_->setReadOnly(true);
  copy_ = textButton(tr("Copy"), tr("Copies the command, to paste into a terminal"), "copyStudyCommand");
  begin_ = new QWidget;
  auto* rows = padded<QGridLayout>(begin_, {8, 0, 8, 0}, 4);
  rows->setColumnStretch(0, 1);
  rows->addWidget(said, 0, 0);
  rows->addWidget(scans_, 0, 1);
  rows->addWidget(command_, 1, 0);
  rows->addWidget(copy_, 1, 1, Qt::AlignLeft);
  connect(scans_, &QToolButton::clicked, this, &StudyPanel::scansRequested);
  connect(copy_, &QToolButton::clicked, this, &StudyPanel::copyRequested);
  return begin_;
}

void StudyPanel::setCommand(const QString& command, const QString& whyNone) {
  const int all = int(study_.unopenedScans().size());
  begin_->setVisible(!command.isEmpty() || !whyNone.isEmpty());
  copy_->setEnabled(!command.isEmpty());
  scans_->setText(all == 0 ? tr("All scans are open") : tr("Open its other scans (%1)").arg(all));
  scans_->setEnabled(all > 0);
  const QString& said = command.isEmpty() ? whyNone : command;
  if (command_->text() == said) return;
  command_->setText(said);
  command_->setCursorPosition(0);
}

bool StudyPanel::eventFilter(QObject* watched, QEvent* event) {
  // While a comment is edited, the key belongs to it.
  if (event->type() == QEvent::KeyPress && table_->hasFocus()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      study_.show(table_->currentIndex().row());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void StudyPanel::fitColumns() {
  constexpr int kWidest = 280, kComment = 220, kMargin = 16;
  for (int i = model::StudyModel::furthest; i < study_.columnCount(); ++i)
    table_->setColumnHidden(i, !study_.isFilled(i));
  table_->resizeColumnsToContents();
  for (int i = 0; i < study_.columnCount(); ++i)
    table_->setColumnWidth(
        i, i == model::StudyModel::comment ? kComment : std::min(table_->columnWidth(i) + kMargin, kWidest));
}

void StudyPanel::markShown() {
  summary_->setText(study_.isOpen() ? study_.summary() : tr("No study is open: File, Open study…"));
  summary_->setToolTip(study_.summary());
  table_->selectRow(study_.current());
  table_->scrollTo(study_.index(study_.current(), 0));
}

}  // namespace sulcus::ui::widgets
