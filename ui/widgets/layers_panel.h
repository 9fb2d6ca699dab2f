#pragma once

#include "ui/model/layer_list_model.h"

#include <QWidget>
#include <vector>

class QListView;

namespace sulcus::ui {

/// The left dock's list: eye, name, kind; drag to reorder, double-click or F2 to rename, context menu for the
/// rest.
class LayersPanel : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit LayersPanel(LayerStack& layers, QWidget* parent = nullptr);

  QListView* list() { return list_; }
  /// Selected layers, top first.
  std::vector<LayerId> selected() const;

 signals:
  /// The context menu is wanted here.
  void menuRequested(const QPoint& globalPosition);

 private:
  void showCurrent();

  LayerStack& layers_;
  LayerListModel model_;
  QListView* list_ = nullptr;
};

}  // namespace sulcus::ui
