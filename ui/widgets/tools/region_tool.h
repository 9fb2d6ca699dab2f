#pragma once

#include "ui/model/layers/movable_regions.h"

#include <QObject>
#include <QPointF>
#include <optional>
#include <utility>
#include <vector>

class QWidget;

namespace sulcus::ui::widgets {

class SliceView;

/// Drags spheres and boxes that select lines, or from which lines grow, in a slice instead of the crosshair:
/// a press within one grabs it; Shift and the wheel resize it. A child of the view.
class RegionTool : public QObject {
  Q_OBJECT
 public:
  /// What holds the regions must outlive the view.
  RegionTool(SliceView& view, std::vector<model::MovableRegions*> holders);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Found {
    model::MovableRegions* holder;
    int number;
    const TractRegion& region() const { return holder->regions()[std::size_t(number)]; }
    bool isThere() const { return number < int(holder->regions().size()); }
  };
  std::optional<Found> regionAt(QPointF position) const;

  SliceView& view_;
  std::vector<model::MovableRegions*> holders_;
  QWidget* canvas_ = nullptr;
  std::optional<Found> inHand_;  ///< the region being dragged
  Vec3<double> offset_;          ///< from the pointer to its center
};

/// A region after a turn of the wheel.
TractRegion resized(TractRegion region, int turned);

}  // namespace sulcus::ui::widgets
