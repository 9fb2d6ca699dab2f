#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/scene/common/color_bar.h"

#include <QWidget>
#include <vector>

namespace sulcus::ui::widgets {

/// The color bars of the visible layers, once for all views and next to them, so that nothing covers the
/// data. Hidden while there are none.
class ColorBarStrip : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit ColorBarStrip(const model::LayerStack& layers, QWidget* parent = nullptr);

  void setFieldStyle(const scene::FieldStyle& style);
  /// Shows nothing if off, e.g. if views have their own bars.
  void setWanted(bool wanted);
  /// The bars shown, from top to bottom.
  const std::vector<scene::BarScale>& bars() const { return bars_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void take();
  /// The area of a bar with its title.
  QRect placeOf(int bar) const;

  const model::LayerStack& layers_;
  scene::FieldStyle fields_;
  std::vector<scene::BarScale> bars_;
  bool wanted_ = true;
};

}  // namespace sulcus::ui::widgets
