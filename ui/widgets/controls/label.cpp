#include "ui/widgets/controls/label.h"

#include <QApplication>
#include <QEvent>

namespace sulcus::ui::widgets {

Label::Label(const QString& text, QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setText(text);
}

PlainToolTips::PlainToolTips(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool PlainToolTips::eventFilter(QObject* watched, QEvent* event) {
  // Qt polishes a tool tip, a label of its own, before it is given its text.
  if (event->type() == QEvent::Polish && watched->inherits("QTipLabel"))
    static_cast<QLabel*>(watched)->setTextFormat(Qt::PlainText);
  return QObject::eventFilter(watched, event);
}

}  // namespace sulcus::ui::widgets
