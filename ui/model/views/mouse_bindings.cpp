#include "ui/model/views/mouse_bindings.h"

namespace sulcus::ui::model {

DragAction dragAction(Qt::MouseButton button, Qt::KeyboardModifiers keys, MouseScheme rightButton) {
  switch (button) {
    case Qt::MiddleButton:
      return DragAction::pan;
    case Qt::RightButton:
      if (keys & Qt::ShiftModifier) return DragAction::turn;
      return rightButton == MouseScheme::zoom ? DragAction::zoom : DragAction::windowLevel;
    case Qt::LeftButton:
      if (keys & Qt::ControlModifier)
        return keys & Qt::ShiftModifier ? DragAction::windowLevel : DragAction::zoom;
      return keys & (Qt::ShiftModifier | Qt::AltModifier) ? DragAction::pan : DragAction::crosshair;
    default:
      return DragAction::none;
  }
}

}  // namespace sulcus::ui::model
