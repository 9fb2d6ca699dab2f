#pragma once

#include "ui/model/layers/layer_list_model.h"

#include <QWidget>
#include <vector>

class QListView;

namespace sulcus::ui::widgets {

class ResultChooser;

/// The left dock's list: eye, kind, name; drag to reorder, double-click or F2 to rename, context menu for the
/// rest. A run is one row, which stands for the result selected in two boxes below (ResultChooser); the arrow
/// or ←→ lists all results.
class LayersPanel : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit LayersPanel(model::LayerStack& layers, QWidget* parent = nullptr);

  QListView* list() { return list_; }
  /// Lets the user rename the current layer.
  void editName();
  /// Folds the layers of a run, again if they have changed; visible and current layers are not hidden.
  void fold(const std::vector<model::LayerId>& layers);
  /// Selected layers, topmost first; with the first of a closed fold, all of the fold, unless not wanted.
  std::vector<model::LayerId> selected(bool withFolded = true) const;

 signals:
  /// A context menu is requested here.
  void menuRequested(const QPoint& globalPosition);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Delegate;
  struct Fold {
    std::vector<model::LayerId> layers;  ///< including removed ones, which undo restores
    bool open = false;
    /// The layer among those present that stands for all, and the others.
    model::LayerId head = 0;
    std::vector<model::LayerId> members{};
  };
  /// The fold of several layers that a layer heads or belongs to, or null.
  Fold* foldOf(model::LayerId id);
  void setOpen(Fold& fold, bool open);
  bool isFolded(model::LayerId id);
  int hiddenIn(const Fold& fold);
  /// Offers the layers of the current layer's run.
  void showChoice();
  /// Updates folds and hidden rows for the layers that are present.
  void hideFolded();
  void showCurrent();

  model::LayerStack& layers_;
  model::LayerListModel model_;
  QListView* list_ = nullptr;
  ResultChooser* chooser_ = nullptr;
  std::vector<Fold> folds_;
};

}  // namespace sulcus::ui::widgets
