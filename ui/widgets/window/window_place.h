#pragma once

#include <QRect>
#include <QWidget>
#include <array>

namespace sulcus::ui::widgets {

/// Left, top, width and height of a window on the screen, as sessions keep them.
std::array<int, 4> placeOf(const QWidget& window);

/// Where a window can be reached: as it was, or in the middle of the screen of `owner` where that screen is
/// gone.
QRect reachable(const QRect& place, const QWidget& owner);

}  // namespace sulcus::ui::widgets
