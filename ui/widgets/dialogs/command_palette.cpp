#include "ui/widgets/dialogs/command_palette.h"

#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/theme.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

constexpr int kMostRows = 12, kMostWidth = 640, kRoomAbove = 40;

/// The entry's name, its kind in a muted color, and its key at the end.
class EntryDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {120, option.fontMetrics.height() + 12};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& colors = theme();
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, colors.selected);
    const bool enabled = index.flags() & Qt::ItemIsEnabled;
    const QRect row = option.rect.adjusted(12, 0, -12, 0);
    const QString keys = index.data(model::SearchModel::shortcutRole).toString();
    const QFontMetrics& metrics = option.fontMetrics;
    painter->setFont(option.font);
    painter->setPen(colors.quiet);
    painter->drawText(row, Qt::AlignRight | Qt::AlignVCenter, keys);
    const QRect words = row.adjusted(0, 0, keys.isEmpty() ? 0 : -metrics.horizontalAdvance(keys) - 16, 0);
    const QString kind = index.data(model::SearchModel::kindRole).toString();
    const int most = words.width() - metrics.horizontalAdvance(kind) - 16;
    const QString text =
        metrics.elidedText(index.data().toString(), Qt::ElideMiddle, std::max(most, words.width() / 2));
    painter->setPen(enabled ? colors.text : colors.disabled);
    painter->drawText(words, Qt::AlignLeft | Qt::AlignVCenter, text);
    const QRect rest = words.adjusted(metrics.horizontalAdvance(text) + 12, 0, 0, 0);
    painter->setPen(enabled ? colors.quiet : colors.disabled);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(kind, Qt::ElideRight, rest.width()));
  }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* window) : QFrame(window) {
  setObjectName(QStringLiteral("palette"));
  setAttribute(Qt::WA_StyledBackground);
  query_ = named("paletteQuery", new QLineEdit);
  query_->setPlaceholderText(tr("Search every action, parameter, layer, label …"));
  query_->setAccessibleName(query_->placeholderText());
  query_->addAction(themeIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  query_->installEventFilter(this);
  list_ = named("paletteEntries", new QListView, tr("What was found"));
  list_->setModel(&found_);
  list_->setItemDelegate(new EntryDelegate(this));
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  nothing_ = quietLabel(tr("No match."));
  nothing_->setContentsMargins(12, 0, 12, 6);
  auto* column = padded<QVBoxLayout>(this, {4, 4, 4, 4}, 4);
  column->addWidget(query_);
  column->addWidget(list_);
  column->addWidget(nothing_);
  connect(query_, &QLineEdit::textChanged, this, [this](const QString& typed) {
    found_.setTyped(typed);
    list_->setCurrentIndex(found_.index(0));
    place();
  });
  connect(list_, &QListView::clicked, this, &CommandPalette::act);
  window->installEventFilter(this);
  hide();
}

void CommandPalette::open(std::vector<model::SearchEntry> entries) {
  if (!isVisible()) before_ = QApplication::focusWidget();
  query_->clear();
  offer(std::move(entries));
  list_->setCurrentIndex(found_.index(0));
  show();
  raise();
  query_->setFocus();
}

void CommandPalette::offer(std::vector<model::SearchEntry> entries) {
  const int row = std::max(0, list_->currentIndex().row());
  found_.setEntries(std::move(entries));
  found_.setTyped(query_->text());
  list_->setCurrentIndex(found_.index(std::min(row, found_.rowCount() - 1)));
  place();
}

void CommandPalette::place() {
  const QWidget* window = parentWidget();
  const int rows = std::clamp(found_.rowCount(), 1, kMostRows);
  list_->setFixedHeight(rows * list_->sizeHintForRow(0) + 2);
  list_->setVisible(found_.rowCount() > 0);
  nothing_->setVisible(found_.rowCount() == 0);
  const int width = std::min(kMostWidth, window->width() - 32);
  setFixedWidth(width);
  adjustSize();
  QFrame::move((window->width() - width) / 2, kRoomAbove);
}

void CommandPalette::move(int rows) {
  int last = found_.rowCount() - 1;  // entries that are not available now are at the end
  while (last >= 0 && !found_.entry(last).enabled) --last;
  if (last < 0) return;
  int row = list_->currentIndex().row() + rows;
  if (std::abs(rows) > 1)
    row = std::clamp(row, 0, last);
  else if (row < 0)
    row = last;
  else if (row > last)
    row = 0;
  list_->setCurrentIndex(found_.index(row));
}

void CommandPalette::act() {
  const QModelIndex index = list_->currentIndex();
  if (!index.isValid() || !found_.entry(index.row()).enabled) return;
  const auto chosen = found_.entry(index.row()).act;  // a copy: it may replace the entries
  close(true);
  chosen();
}

void CommandPalette::close(bool back) {
  hide();
  if (back && before_) before_->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
  if (watched != query_) return QFrame::eventFilter(watched, event);
  if (event->type() == QEvent::FocusOut && isVisible() &&
      static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason)
    close(false);
  if (event->type() == QEvent::ShortcutOverride) {  // Escape and arrow keys are not for the window now
    event->accept();
    return true;
  }
  if (event->type() != QEvent::KeyPress) return false;
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
      close(true);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      act();
      return true;
    case Qt::Key_Down:
      move(1);
      return true;
    case Qt::Key_Up:
      move(-1);
      return true;
    case Qt::Key_PageDown:
      move(kMostRows);
      return true;
    case Qt::Key_PageUp:
      move(-kMostRows);
      return true;
    default:
      return false;
  }
}

}  // namespace sulcus::ui::widgets
