#pragma once

#include <QRect>
#include <QWidget>
#include <array>

namespace sulcus::ui::widgets {

/// Left, top, width and height of a window on the screen, as stored in sessions.
std::array<int, 4> placeOf(const QWidget& window);

/// A reachable position for a window: as it was, or in the center of `owner`'s screen if its screen is gone.
QRect reachable(const QRect& place, const QWidget& owner);

}  // namespace sulcus::ui::widgets
