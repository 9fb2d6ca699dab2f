#include "ui/widgets/controls/number_edit.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QLineEdit>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace sulcus::ui::widgets {
namespace {

constexpr int kLineMargins = 5;  ///< pixels next to the text of a line, and for its cursor
constexpr int kFrame = 14;       ///< pixels of border and padding, see window.qss

class WheelGuard : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

/// The number in the text of a spin box, without prefix and suffix, in the format of QString::toDouble().
template <class SpinBox>
QString bare(const SpinBox& box, QString text) {
  if (!box.prefix().isEmpty() && text.startsWith(box.prefix())) text.remove(0, box.prefix().size());
  if (!box.suffix().isEmpty() && text.endsWith(box.suffix())) text.chop(box.suffix().size());
  return text.trimmed().replace(QChar(0x2212), QLatin1Char('-')).replace(QLatin1Char(','), QLatin1Char('.'));
}

/// What was typed into a spin box: a number, or the word that stands for the minimum.
template <class SpinBox>
std::optional<double> typedNumber(const SpinBox& box, const QString& text) {
  if (!box.specialValueText().isEmpty() && text.trimmed() == box.specialValueText())
    return double(box.minimum());
  bool ok = false;
  const double number = bare(box, text).toDouble(&ok);
  return ok ? std::optional(number) : std::nullopt;
}

/// The texts of a value, from most to fewest digits: rounded to three digits at least, and if even these do
/// not fit, with an ellipsis in place of the others.
QStringList shorterTexts(double value) {
  constexpr int kFewestDigits = 3;
  QStringList texts;
  for (int digits = std::abs(value) < 1000 ? 4 : 6; digits >= kFewestDigits; --digits)
    if (const QString text = QString::number(value, 'g', digits);
        texts.isEmpty() || text.size() < texts.last().size())
      texts << text;
  const QStringList parts = QString::number(value, 'e', 5).split(QLatin1Char('e'));
  if (const int power = parts.last().toInt(); std::abs(power) >= 3)
    texts << parts.first().section(QLatin1Char('.'), 0, 0) + QStringLiteral("…e%1").arg(power);
  else if (const qsizetype point = texts.last().indexOf(QLatin1Char('.')); point > 0 && std::abs(value) >= 1)
    texts << texts.last().left(point) + QChar(0x2026);
  return texts;
}

/// A text that reads back as this number, or as the same float if it is one.
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
  return hasFocus() ? exactText(value) : fittingText(value);
}

QString NumberEdit::fittingText(double value) const {
  const QStringList texts = shorterTexts(value);
  const int room = lineEdit()->width() - kLineMargins;
  const auto fits = [&](const QString& text) {
    return lineEdit()->fontMetrics().horizontalAdvance(prefix() + text + suffix()) <= room;
  };
  const auto fitting = isVisible() ? std::ranges::find_if(texts, fits) : texts.begin();
  return fitting == texts.end() ? texts.back() : *fitting;
}

bool NumberEdit::isOwn(const QString& text) const {
  return !lineEdit()->isModified() && shorterTexts(value()).contains(text);
}

double NumberEdit::valueFromText(const QString& text) const {
  const QString typed = bare(*this, text);
  // An unchanged text stands for all digits of its value.
  if (typed == exactText(value()) || isOwn(typed)) return value();
  return typedNumber(*this, text).value_or(value());
}

bool NumberEdit::event(QEvent* event) {
  const QString exact = prefix() + exactText(value()) + suffix();
  if (event->type() != QEvent::ToolTip || exact == text()) return QDoubleSpinBox::event(event);
  const QString tip = toolTip().isEmpty() ? exact : exact + QLatin1Char('\n') + toolTip();
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
  return true;
}

void NumberEdit::resizeEvent(QResizeEvent* event) {
  QDoubleSpinBox::resizeEvent(event);
  showAgain();
}

void NumberEdit::showEvent(QShowEvent* event) {
  QDoubleSpinBox::showEvent(event);
  showAgain();
}

void NumberEdit::focusInEvent(QFocusEvent* event) {
  setValue(value());  // with all its digits
  QDoubleSpinBox::focusInEvent(event);
}

void NumberEdit::focusOutEvent(QFocusEvent* event) {
  QDoubleSpinBox::focusOutEvent(event);  // accepts what was typed
  setValue(value());
}

QValidator::State NumberEdit::validate(QString& text, int&) const {
  if (isOwn(bare(*this, text))) return QValidator::Acceptable;
  const auto number = typedNumber(*this, text);
  return number && *number >= minimum() && *number <= maximum() ? QValidator::Acceptable
                                                                : QValidator::Intermediate;
}

void NumberEdit::fixup(QString& text) const {
  const QString typed = bare(*this, text);
  bool ok = false;
  typed.toDouble(&ok);
  text = prefix() + textFromValue(value()) + suffix();
  if (ok) emit refused(typed);
}

WholeEdit::WholeEdit(QWidget* parent) : QDoubleSpinBox(parent) {
  setDecimals(0);
  setKeyboardTracking(false);
  guardWheel(this);
}

QString WholeEdit::textFromValue(double value) const { return QString::number(std::int64_t(value)); }

double WholeEdit::valueFromText(const QString& text) const {
  return typedNumber(*this, text).value_or(double(value()));
}

QValidator::State WholeEdit::validate(QString& text, int&) const {
  // Every key is accepted, since without one of them "1,5" would become 15 and "1e4" 14.
  const auto number = typedNumber(*this, text);
  const bool whole =
      number && *number == std::floor(*number) && !bare(*this, text).contains(QLatin1Char('.'));
  return whole && *number >= minimum() && *number <= maximum() ? QValidator::Acceptable
                                                               : QValidator::Intermediate;
}

void WholeEdit::fixup(QString& text) const {
  const QString typed = bare(*this, text);
  bool ok = false;
  typed.toDouble(&ok);
  text = prefix() + textFromValue(value()) + suffix();
  if (ok) emit refused(typed);
}

QSize WholeEdit::sizeHint() const {
  QSize size = QDoubleSpinBox::sizeHint();  // for the largest number, which may have 16 digits
  const QString usual = prefix() + QStringLiteral("2147483647 ") + suffix();
  size.setWidth(std::min(size.width(), fontMetrics().horizontalAdvance(usual) + kFrame + kLineMargins));
  return size;
}

QSize NumberEdit::sizeHint() const {
  QSize size = QDoubleSpinBox::sizeHint();
  size.setWidth(fontMetrics().horizontalAdvance(QStringLiteral("-1.23456e-05") + suffix()) + 34);
  return size;
}

QSize NumberEdit::minimumSizeHint() const {
  return {fontMetrics().horizontalAdvance(QStringLiteral("-1e-05")) + kFrame + kLineMargins,
          sizeHint().height()};
}

void NumberEdit::wheelEvent(QWheelEvent* event) {
  if (hasFocus())
    QDoubleSpinBox::wheelEvent(event);
  else
    event->ignore();
}

}  // namespace sulcus::ui::widgets
