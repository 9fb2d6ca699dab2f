#pragma once

#include "ui/widgets/controls/label.h"

namespace sulcus::ui::widgets {

/// One line of text that is elided at one side if there is no room; then its tool tip has the full text.
class ElidedLabel : public Label {
  Q_OBJECT
 public:
  explicit ElidedLabel(Qt::TextElideMode side = Qt::ElideRight, QWidget* parent = nullptr);

  QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Qt::TextElideMode side_;
};

}  // namespace sulcus::ui::widgets
