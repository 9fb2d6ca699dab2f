#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/bookmarks.h"

#include <functional>

class QTableView;
class QWidget;

namespace sulcus::ui::widgets {

/// A table whose selection is copied as tab-separated text.
QTableView* copyableTable();
/// Selecting a row in a table that shows a model::TableModel goes to its place, if it has one (placeOfRow()).
void goToSelectedPosition(QTableView* table, const std::function<void(const Vec3<double>&)>& go);

/// Shows a table layer in a separate window, which follows the layer and closes with it; selecting a row with
/// a place goes there. Bookmarks can be renamed (F2) and removed (Del) there. Returns at once. `layers` and
/// `places` must outlive `parent`'s children.
void showTable(QWidget* parent, model::LayerStack& layers, model::Bookmarks& places, model::LayerId id,
               const std::function<void(const Vec3<double>&)>& go);

}  // namespace sulcus::ui::widgets
