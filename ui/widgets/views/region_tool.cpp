#include "ui/widgets/views/region_tool.h"

#include "ui/widgets/views/canvas.h"
#include "ui/widgets/views/view_widgets.h"

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

RegionTool::RegionTool(SliceView& view, model::Dissection& dissection)
    : QObject(&view), view_(view), dissection_(dissection) {
  canvas_ = view.findChild<Canvas*>();
  canvas_->installEventFilter(this);  // before the view, whose filter was installed earlier
}

/// The region of the current bundle under the pointer; of several, the smallest.
std::optional<int> RegionTool::regionAt(QPointF position) const {
  if (dissection_.bundle() < 0) return {};
  const Vec3<double> world = view_.worldAt(position);
  const auto& regions = dissection_.bundles()[std::size_t(dissection_.bundle())].regions;
  std::optional<int> found;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (!isIn(regions[i], {float(world.x), float(world.y), float(world.z)})) continue;
    if (!found || regions[i].reach.x < regions[std::size_t(*found)].reach.x) found = int(i);
  }
  return found;
}

bool RegionTool::eventFilter(QObject* watched, QEvent* event) {
  if (watched != canvas_) return false;
  const auto region = [&](int i) {
    return dissection_.bundles()[std::size_t(dissection_.bundle())].regions[std::size_t(i)];
  };
  switch (event->type()) {
    case QEvent::MouseButtonPress: {
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      if (mouse.button() != Qt::LeftButton || mouse.modifiers()) return false;
      const auto found = regionAt(mouse.position());
      if (!found) return false;
      canvas_->setFocus(Qt::MouseFocusReason);
      dissection_.choose(dissection_.bundle(), *found);
      offset_ = region(*found).center - view_.worldAt(mouse.position());
      return true;
    }
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease: {
      if (!offset_) return false;
      const auto& mouse = static_cast<const QMouseEvent&>(*event);
      const bool done = event->type() == QEvent::MouseButtonRelease;
      const int in = dissection_.region();
      if (dissection_.bundle() < 0 || in < 0) return offset_.reset(), true;
      TractRegion moved = region(in);
      moved.center = view_.worldAt(mouse.position()) + *offset_;
      dissection_.changeRegion(in, moved, done);
      if (done) offset_.reset();
      return true;
    }
    case QEvent::Wheel: {
      const auto& wheel = static_cast<const QWheelEvent&>(*event);
      if (!(wheel.modifiers() & Qt::ShiftModifier)) return false;
      const auto found = regionAt(wheel.position());
      const int turned = wheel.angleDelta().y() ? wheel.angleDelta().y() : wheel.angleDelta().x();
      if (!found) return false;
      dissection_.changeRegion(*found, resized(region(*found), turned), true);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace sulcus::ui::widgets
