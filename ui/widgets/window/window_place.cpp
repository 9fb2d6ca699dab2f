#include "ui/widgets/window/window_place.h"

#include <QScreen>

namespace sulcus::ui::widgets {

std::array<int, 4> placeOf(const QWidget& window) {
  const QRect place = window.geometry();
  return {place.x(), place.y(), place.width(), place.height()};
}

QRect reachable(const QRect& place, const QWidget& owner) {
  for (const QScreen* screen : owner.screen()->virtualSiblings())
    if (screen->availableGeometry().intersects(place)) return place.intersected(screen->availableGeometry());
  QRect middle({}, QSize(640, 640).boundedTo(owner.screen()->availableSize()));
  middle.moveCenter(owner.screen()->availableGeometry().center());
  return middle;
}

}  // namespace sulcus::ui::widgets
