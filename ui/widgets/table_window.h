#pragma once

#include "ui/model/layer_stack.h"

class QWidget;

namespace sulcus::ui::widgets {

/// Shows a table layer in a window of its own, which follows the layer and closes with it. Returns at once.
/// `layers` must outlive `parent`'s children.
void showTable(QWidget* parent, model::LayerStack& layers, model::LayerId id);

}  // namespace sulcus::ui::widgets
