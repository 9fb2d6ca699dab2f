#pragma once

#include <QScrollArea>

namespace sulcus::ui::widgets {

/// A row of tools, at its own height, that scrolls sideways if it does not fit, so that it does not determine
/// the width of the window. It is shown and hidden with its row.
class ScrollStrip : public QScrollArea {
 public:
  /// Takes ownership of `row`.
  explicit ScrollStrip(QWidget* row, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }
  bool eventFilter(QObject* watched, QEvent* event) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
};

}  // namespace sulcus::ui::widgets
