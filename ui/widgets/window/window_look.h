#pragma once

#include "ui/widgets/window/window_parts.h"

namespace sulcus::ui::widgets {

/// How the window is arranged, as a session keeps it.
model::WindowLook lookOf(const WindowParts& window);
void setLook(WindowParts& window, const model::WindowLook& look);

}  // namespace sulcus::ui::widgets
