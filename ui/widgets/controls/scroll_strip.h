#pragma once

#include <QScrollArea>

namespace sulcus::ui::widgets {

/// A row of tools as high as it is, which is scrolled sideways where there is no room for all of it, so that
/// no window need be as wide. It is shown and hidden with its row.
class ScrollStrip : public QScrollArea {
 public:
  /// Takes `row`.
  explicit ScrollStrip(QWidget* row, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }
  bool eventFilter(QObject* watched, QEvent* event) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
};

}  // namespace sulcus::ui::widgets
