#include "ui/widgets/controls/elided_label.h"

#include <QPainter>

namespace sulcus::ui::widgets {

ElidedLabel::ElidedLabel(Qt::TextElideMode side, QWidget* parent) : Label({}, parent), side_(side) {
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRect room = contentsRect();
  const QString shown = fontMetrics().elidedText(text(), side_, room.width());
  setToolTip(shown == text() ? QString() : text());
  painter.setPen(palette().color(foregroundRole()));
  painter.drawText(room, int(alignment()) | Qt::TextSingleLine, shown);
}

}  // namespace sulcus::ui::widgets
