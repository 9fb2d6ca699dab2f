#pragma once

#include <QDoubleSpinBox>
#include <cstdint>

namespace sulcus::ui::widgets {

/// A spin box for numbers of any size: shows four digits, six of a thousand and more, three where it is too
/// narrow for them and an ellipsis where it is for these, and all that the value has while it is edited and
/// under the mouse; takes 1e-6, and steps by `singleStep`, or by a digit of the value when that is 0. What is
/// typed beyond the range is refused: the value stays. The wheel turns it only while it has the focus, so
/// that forms can be scrolled.
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
  /// Whether a text, without prefix and suffix, is what the field itself shows of its value.
  bool isOwn(const QString& text) const;
  void showAgain() { setValue(value()); }  ///< with as many digits as there is room for now
};

/// A spin box for whole numbers up to 2^53, which takes no other number than the one that was typed: what
/// lies beyond the range, or is no whole number, is refused, and the value stays. 1e4 is a whole number.
class WholeEdit : public QDoubleSpinBox {
  Q_OBJECT
 public:
  static constexpr double kLargest = 9007199254740992;  ///< all whole numbers up to it are exact

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

/// Lets the wheel pass a widget that has not the focus.
void guardWheel(QWidget* widget);

}  // namespace sulcus::ui::widgets
