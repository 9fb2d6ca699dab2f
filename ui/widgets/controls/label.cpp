#include "ui/widgets/controls/label.h"

#include <QApplication>
#include <QEvent>

namespace sulcus::ui::widgets {

Label::Label(const QString& text, QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setText(text);
}

QString inShortLines(const QString& text) {
  constexpr qsizetype kLine = 64;  // characters
  QStringList lines;
  for (const QString& paragraph : text.split(QLatin1Char('\n'))) {
    lines << QString();
    for (const QString& word : paragraph.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      if (lines.back().isEmpty())
        lines.back() = word;
      else if (lines.back().size() + 1 + word.size() <= kLine)
        lines.back() += QLatin1Char(' ') + word;
      else
        lines << word;
    }
  }
  return lines.join(QLatin1Char('\n'));
}

PlainToolTips::PlainToolTips(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool PlainToolTips::eventFilter(QObject* watched, QEvent* event) {
  // Qt polishes a tool tip, which is a label of its own, before setting its text.
  if (event->type() == QEvent::Polish && watched->inherits("QTipLabel"))
    static_cast<QLabel*>(watched)->setTextFormat(Qt::PlainText);
  return QObject::eventFilter(watched, event);
}

}  // namespace sulcus::ui::widgets
