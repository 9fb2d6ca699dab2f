#include "ui/widgets/number_edit.h"

#include <QEvent>
#include <QFontMetrics>
#include <QWheelEvent>

namespace sulcus::ui::widgets {
namespace {

class WheelGuard : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

}  // namespace

void guardWheel(QWidget* widget) {
  widget->setFocusPolicy(Qt::StrongFocus);
  widget->installEventFilter(new WheelGuard(widget));
}

NumberEdit::NumberEdit(QWidget* parent) : QDoubleSpinBox(parent) {
  setDecimals(15);
  setKeyboardTracking(false);  // 0.25 is one change, not four
  setFocusPolicy(Qt::StrongFocus);
  setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
}

QString NumberEdit::bare(QString text) const {
  if (!prefix().isEmpty() && text.startsWith(prefix())) text.remove(0, prefix().size());
  if (!suffix().isEmpty() && text.endsWith(suffix())) text.chop(suffix().size());
  return text.trimmed().replace(QChar(0x2212), QLatin1Char('-'));
}

QString NumberEdit::textFromValue(double value) const { return QString::number(value, 'g', 6); }

double NumberEdit::valueFromText(const QString& text) const {
  bool ok = false;
  QString number = bare(text);
  number.replace(QLatin1Char(','), QLatin1Char('.'));
  const double value = number.toDouble(&ok);
  return ok ? value : this->value();
}

QValidator::State NumberEdit::validate(QString& text, int&) const {
  bool ok = false;
  QString number = bare(text);
  number.replace(QLatin1Char(','), QLatin1Char('.'));
  const double value = number.toDouble(&ok);
  // Half-typed numbers and those out of range become the nearest one allowed when the editing ends.
  return ok && value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

QSize NumberEdit::sizeHint() const {
  QSize size = QDoubleSpinBox::sizeHint();
  size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("-1.23456e-05") + suffix()) + 34);
  return size;
}

void NumberEdit::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QDoubleSpinBox::wheelEvent(event);
  else
    event->ignore();
}

}  // namespace sulcus::ui::widgets
