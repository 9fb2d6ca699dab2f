#include "ui/widgets/controls/elided_combo_box.h"

#include "ui/model/session/file_names.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QScreen>
#include <QScrollBar>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>
#include <algorithm>

namespace sulcus::ui::widgets {

QStringList ElidedComboBox::names() const {
  QStringList all;
  for (int i = 0; i < count(); ++i) all << itemText(i);
  return all;
}

QString ElidedComboBox::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const int room =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
  const QString shown = model::ShortNames(names())(
      currentText(), [&](const QString& text) { return fontMetrics().horizontalAdvance(text) <= room; });
  return fontMetrics().elidedText(shown, Qt::ElideMiddle, room);
}

void ElidedComboBox::setItems(const Items& items) {
  const auto isAt = [this](const auto& item, int row) {
    return itemData(row) == item.second && itemText(row) == item.first;
  };
  // Lists grow and shrink in one place: the items before and after it stay.
  const int wanted = int(items.size());
  int before = 0, behind = 0;
  while (before < std::min(count(), wanted) && isAt(items[std::size_t(before)], before)) ++before;
  while (behind < std::min(count(), wanted) - before &&
         isAt(items[std::size_t(wanted - behind - 1)], count() - behind - 1))
    ++behind;
  while (count() > before + behind) removeItem(before);
  for (int row = before; row < wanted - behind; ++row)
    insertItem(row, items[std::size_t(row)].first, items[std::size_t(row)].second);
}

void ElidedComboBox::showPopup() {
  const int wide = view()->sizeHintForColumn(0) + view()->verticalScrollBar()->sizeHint().width();
  view()->setMinimumWidth(
      std::clamp(wide, width(), std::max(width(), screen()->availableSize().width() / 2)));
  QComboBox::showPopup();
}

bool ElidedComboBox::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || shownText() == currentText()) return QComboBox::event(event);
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText(), this);
  return true;
}

void ElidedComboBox::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  option.currentText = shownText();
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace sulcus::ui::widgets
