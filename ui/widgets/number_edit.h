#pragma once

#include <QDoubleSpinBox>

namespace sulcus::ui::widgets {

/// A spin box for numbers of any size: shows up to six digits, takes 1e-6, and steps by `singleStep`, or by a
/// digit of the value when that is 0. The wheel turns it only while it has the focus, so that forms can be
/// scrolled.
class NumberEdit : public QDoubleSpinBox {
  Q_OBJECT
 public:
  explicit NumberEdit(QWidget* parent = nullptr);

  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {64, sizeHint().height()}; }

 protected:
  void wheelEvent(QWheelEvent* event) override;

 private:
  QString bare(QString text) const;
};

/// Lets the wheel pass a widget that has not the focus.
void guardWheel(QWidget* widget);

}  // namespace sulcus::ui::widgets
