#pragma once

#include "ui/widgets/controls/label.h"

namespace sulcus::ui::widgets {

/// One line of text that gives way at one side where there is no room; then its tooltip has the whole.
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
