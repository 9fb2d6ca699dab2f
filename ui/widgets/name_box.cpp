#include "ui/widgets/name_box.h"

#include "ui/model/file_names.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QScreen>
#include <QScrollBar>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>
#include <algorithm>

namespace sulcus::ui::widgets {

QStringList NameBox::names() const {
  QStringList all;
  for (int i = 0; i < count(); ++i) all << itemText(i);
  return all;
}

QString NameBox::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const int room =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
  const QString shown = model::ShortNames(names())(
      currentText(), [&](const QString& text) { return fontMetrics().horizontalAdvance(text) <= room; });
  return fontMetrics().elidedText(shown, Qt::ElideMiddle, room);
}

void NameBox::showPopup() {
  const int wide = view()->sizeHintForColumn(0) + view()->verticalScrollBar()->sizeHint().width();
  view()->setMinimumWidth(
      std::clamp(wide, width(), std::max(width(), screen()->availableSize().width() / 2)));
  QComboBox::showPopup();
}

bool NameBox::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || shownText() == currentText()) return QComboBox::event(event);
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), currentText(), this);
  return true;
}

void NameBox::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  option.currentText = shownText();
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace sulcus::ui::widgets
