#pragma once

#include "ui/model/layers/region_tools.h"

#include <QObject>
#include <QPointF>
#include <optional>

class QWidget;

namespace sulcus::ui::widgets {

class SliceView;

/// While the brush is on, the left button paints in a slice instead of moving the crosshair, and a circle of
/// the brush's size follows the pointer. A child of the view.
class BrushTool : public QObject {
  Q_OBJECT
 public:
  /// `tools` must outlive the view.
  BrushTool(SliceView& view, model::RegionTools& tools);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Outline;

  void followPointer(const QEvent& event);
  void showOutline();

  SliceView& view_;
  model::RegionTools& tools_;
  QWidget* canvas_ = nullptr;
  Outline* outline_ = nullptr;
  std::optional<QPointF> pointer_;  ///< its position while it is over the view
  bool painting_ = false;
};

}  // namespace sulcus::ui::widgets
