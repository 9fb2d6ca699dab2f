#include "ui/widgets/number_edit.h"

#include <QEvent>
#include <QFontMetrics>
#include <QLineEdit>
#include <QWheelEvent>
#include <charconv>
#include <cmath>

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

QString shortText(double value) { return QString::number(value, 'g', std::abs(value) < 1000 ? 4 : 6); }

/// A text that is read as this number, or as the same float where it is one.
QString exactText(double value) {
  const QString six = QString::number(value, 'g', 6);
  if (six.toDouble() == value) return six;
  char text[32];
  const bool isFloat = double(float(value)) == value;
  const auto end = isFloat ? std::to_chars(text, text + sizeof text, float(value)).ptr
                           : std::to_chars(text, text + sizeof text, value).ptr;
  return QString::fromLatin1(text, end - text);
}

}  // namespace

void guardWheel(QWidget* widget) {
  widget->setFocusPolicy(Qt::StrongFocus);
  widget->installEventFilter(new WheelGuard(widget));
}

NumberEdit::NumberEdit(QWidget* parent) : QDoubleSpinBox(parent) {
  setDecimals(30);             // no digit of any value is lost
  setKeyboardTracking(false);  // 0.25 is one change, not four
  setFocusPolicy(Qt::StrongFocus);
  setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
}

QString NumberEdit::textFromValue(double value) const {
  return hasFocus() ? exactText(value) : shortText(value);
}

double NumberEdit::valueFromText(const QString& text) const {
  const QString typed = bare(*this, text);
  // A text that nobody changed stands for all digits of its value.
  if (typed == exactText(value()) || (!lineEdit()->isModified() && typed == shortText(value())))
    return value();
  bool ok = false;
  const double read = typed.toDouble(&ok);
  return ok ? read : value();
}

void NumberEdit::focusInEvent(QFocusEvent* event) {
  setValue(value());  // with all its digits
  QDoubleSpinBox::focusInEvent(event);
}

void NumberEdit::focusOutEvent(QFocusEvent* event) {
  QDoubleSpinBox::focusOutEvent(event);  // takes what was typed
  setValue(value());
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
