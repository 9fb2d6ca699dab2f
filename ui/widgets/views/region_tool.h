#pragma once

#include "ui/model/layers/dissection.h"

#include <QObject>
#include <QPointF>
#include <optional>

class QWidget;

namespace sulcus::ui::widgets {

class SliceView;

/// Drags the spheres and boxes that choose lines (model::Dissection) in a slice instead of the crosshair: a
/// press within one takes it in hand; Shift and the wheel make it larger. A child of the view.
class RegionTool : public QObject {
  Q_OBJECT
 public:
  /// `dissection` must outlive the view.
  RegionTool(SliceView& view, model::Dissection& dissection);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::optional<int> regionAt(QPointF position) const;

  SliceView& view_;
  model::Dissection& dissection_;
  QWidget* canvas_ = nullptr;
  std::optional<Vec3<double>> offset_;  ///< of the region's center from the pointer, while one is dragged
};

/// A region as it is after a turn of the wheel.
TractRegion resized(TractRegion region, int turned);

}  // namespace sulcus::ui::widgets
