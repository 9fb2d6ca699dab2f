#pragma once

#include <QDoubleSpinBox>
#include <cstdint>

namespace sulcus::ui::widgets {

/// A spin box for numbers of any size: it shows four digits, six from a thousand on, three if it is too
/// narrow for them and an ellipsis if it is too narrow for those, and all digits of the value while it is
/// edited or under the mouse. It accepts 1e-6, and steps by `singleStep`, or by one digit of the value if
/// that is 0. Numbers typed beyond the range are refused: the value stays. The wheel changes it only while it
/// has the focus, so that forms can be scrolled.
class NumberEdit : public QDoubleSpinBox {
  Q_OBJECT
 public:
  explicit NumberEdit(QWidget* parent = nullptr);

  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& text) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// A number beyond the range was typed.
  void refused(const QString& typed) const;

 protected:
  bool event(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QString fittingText(double value) const;
  /// Whether a text, without prefix and suffix, is the field's own display of its value.
  bool isOwn(const QString& text) const;
  void showAgain() { setValue(value()); }  ///< with as many digits as now fit
};

/// A spin box for integers up to 2^53 that accepts exactly the number typed: a number beyond the range or a
/// noninteger is refused, and the value stays. 1e4 is an integer.
class WholeEdit : public QDoubleSpinBox {
  Q_OBJECT
 public:
  static constexpr double kLargest = 9007199254740992;  ///< all integers up to it are exact

  explicit WholeEdit(QWidget* parent = nullptr);

  std::int64_t value() const { return std::int64_t(QDoubleSpinBox::value()); }
  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
  void fixup(QString& text) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  /// A number beyond the range was typed.
  void refused(const QString& typed) const;
};

/// Makes a widget ignore the wheel unless it has the focus.
void guardWheel(QWidget* widget);

}  // namespace sulcus::ui::widgets
