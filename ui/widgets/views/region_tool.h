#pragma once

#include "ui/model/layers/dissection.h"

#include <QObject>
#include <QPointF>
#include <optional>

class QWidget;

namespace sulcus::ui::widgets {

class SliceView;

/// Drags the spheres and boxes that select lines (model::Dissection) in a slice instead of the crosshair: a
/// press within one grabs it; Shift and the wheel resize it. A child of the view.
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
  std::optional<Vec3<double>> offset_;  ///< from the pointer to the region's center, during a drag
};

/// A region after a turn of the wheel.
TractRegion resized(TractRegion region, int turned);

}  // namespace sulcus::ui::widgets
