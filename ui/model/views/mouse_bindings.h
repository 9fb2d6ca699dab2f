#pragma once

#include "ui/model/views/view_state.h"

namespace sulcus::ui::model {

/// What a drag in a slice does.
enum class DragAction { none, crosshair, pan, zoom, windowLevel, turn };

/// The effect of a drag with this button and these modifiers. Besides the right button, on which viewers
/// differ, the gestures of all of them are supported: Shift or Alt and the left button pan, Ctrl and the left
/// button zoom (ITK-SNAP), Ctrl, Shift and the left button change window and level (FSLeyes). Shift and the
/// right button rotate the planes.
DragAction dragAction(Qt::MouseButton button, Qt::KeyboardModifiers keys, MouseScheme rightButton);

}  // namespace sulcus::ui::model
