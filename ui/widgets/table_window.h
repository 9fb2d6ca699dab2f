#pragma once

#include "ui/model/layer_stack.h"

class QWidget;

namespace sulcus::ui {

/// Shows a table layer in a window of its own, which follows the layer and closes with it. Returns at once.
/// `layers` must outlive `parent`'s children.
void showTable(QWidget* parent, LayerStack& layers, LayerId id);

}  // namespace sulcus::ui
