#include "ui/widgets/tools/region_tool.h"

#include "core/image/tracts/tract_regions.h"
#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/slice_view.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {

TractRegion resized(TractRegion region, int turned) {
  const double factor = std::pow(1.1, turned / 120.0);
  for (int axis = 0; axis < 3; ++axis)
    region.reach[axis] = std::clamp(region.reach[axis] * factor, 0.2, 200.0);
  return region;
}

RegionTool::RegionTool(SliceView& view, std::vector<model::MovableRegions*> holders)
    : QObject(&view), view_(view), holders_(std::move(holders)) {
  canvas_ = view.findChild<Canvas*>();
  canvas_->installEventFilter(this);  // before the view, whose filter was installed earlier
}

/// The region under the pointer; of several, the smallest.
std::optional<RegionTool::Found> RegionTool::regionAt(QPointF position) const {
  const Vec3<double> world = view_.worldAt(position);
  std::optional<Found> found;
  for (model::MovableRegions* holder : holders_) {
    const auto& regions = holder->regions();
    for (std::size_t i = 0; i < regions.size(); ++i) {
      if (regions[i].body) continue;  // what is painted is not dragged
      if (!isIn(regions[i], {float(world.x), float(world.y), float(world.z)})) continue;
      if (!found || regions[i].reach.x < found->region().reach.x) found.emplace(Found{holder, int(i)});
    }
  }
  return found;
}

bool RegionTool::eventFilter(QObject* watched, QEvent* event) {
  if (watched != canvas_) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      if (mouse.button() != Qt::LeftButton || mouse.modifiers()) return false;
      const auto found = regionAt(mouse.position());
      if (!found) return false;
      canvas_->setFocus(Qt::MouseFocusReason);
      offset_ = found->region().center - view_.worldAt(mouse.position());
      inHand_ = found;
      found->holder->takeRegion(found->number);
      return true;
    }
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease: {
      if (!inHand_) return false;
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      const bool done = event->type() == QEvent::MouseButtonRelease;
      const Found moved = *inHand_;
      if (done || !moved.isThere()) inHand_.reset();
      if (!moved.isThere()) return true;
      TractRegion region = moved.region();
      region.center = view_.worldAt(mouse.position()) + offset_;
      moved.holder->changeRegion(moved.number, region, done);
      return true;
    }
    case QEvent::Wheel: {
      const auto& wheel = static_cast<const QWheelEvent&>(*event);
      if (!(wheel.modifiers() & Qt::ShiftModifier)) return false;
      const auto found = regionAt(wheel.position());
      const int turned = wheel.angleDelta().y() ? wheel.angleDelta().y() : wheel.angleDelta().x();
      if (!found) return false;
      found->holder->changeRegion(found->number, resized(found->region(), turned), true);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace sulcus::ui::widgets
