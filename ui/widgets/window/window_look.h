#pragma once

#include "ui/widgets/window/window_parts.h"

namespace sulcus::ui::widgets {

/// The layout of the window, as stored in a session.
model::WindowLook lookOf(const WindowParts& window);
void setLook(WindowParts& window, const model::WindowLook& look);

}  // namespace sulcus::ui::widgets
