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

/// The number in the text of a spin box, without prefix and suffix, as QString::toDouble() reads it.
template <class SpinBox>
QString bare(const SpinBox& box, QString text) {
  if (!box.prefix().isEmpty() && text.startsWith(box.prefix())) text.remove(0, box.prefix().size());
  if (!box.suffix().isEmpty() && text.endsWith(box.suffix())) text.chop(box.suffix().size());
  return text.trimmed().replace(QChar(0x2212), QLatin1Char('-')).replace(QLatin1Char(','), QLatin1Char('.'));
}

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

QString NumberEdit::textFromValue(double value) const { return QString::number(value, 'g', 6); }

double NumberEdit::valueFromText(const QString& text) const {
  bool ok = false;
  const double value = bare(*this, text).toDouble(&ok);
  return ok ? value : this->value();
}

QValidator::State NumberEdit::validate(QString& text, int&) const {
  bool ok = false;
  const double value = bare(*this, text).toDouble(&ok);
  return ok && value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
}

void NumberEdit::fixup(QString& text) const {
  const QString typed = bare(*this, text);
  bool ok = false;
  typed.toDouble(&ok);
  text = prefix() + textFromValue(value()) + suffix();
  if (ok) emit refused(typed);
}

WholeEdit::WholeEdit(QWidget* parent) : QSpinBox(parent) {
  setKeyboardTracking(false);
  guardWheel(this);
}

QValidator::State WholeEdit::validate(QString& text, int& position) const {
  bool ok = false;
  const QString typed = bare(*this, text);
  const double value = typed.toDouble(&ok);
  // "1,5" must not become 15, which it would without its comma.
  const bool refuse = ok && (value < minimum() || value > maximum() || typed.contains(QLatin1Char('.')));
  return refuse ? QValidator::Intermediate : QSpinBox::validate(text, position);
}

void WholeEdit::fixup(QString& text) const {
  const QString typed = bare(*this, text);
  bool ok = false;
  typed.toDouble(&ok);
  text = prefix() + textFromValue(value()) + suffix();
  if (ok) emit refused(typed);
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
