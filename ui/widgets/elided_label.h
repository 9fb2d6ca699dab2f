#pragma once

#include <QLabel>

namespace sulcus::ui::widgets {

/// One line of text that gives way where there is no room; then its tooltip has the whole.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace sulcus::ui::widgets
