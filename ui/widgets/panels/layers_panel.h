#pragma once

#include "ui/model/layers/layer_list_model.h"

#include <QWidget>
#include <vector>

class QListView;

namespace sulcus::ui::widgets {

class ResultChooser;

/// The left dock's list: eye, name, kind; drag to reorder, double-click or F2 to rename, context menu for the
/// rest. A run is one row, which stands for what is chosen of it by two boxes below (ResultChooser); the
/// arrow or ←→ list all of it.
class LayersPanel : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit LayersPanel(model::LayerStack& layers, QWidget* parent = nullptr);

  QListView* list() { return list_; }
  /// Lets the user type another name for the current layer.
  void editName();
  /// Folds the layers of a run, again when they have become others; what is seen or current is not hidden.
  void fold(const std::vector<model::LayerId>& layers);
  /// Selected layers, top first; with the first of a fold that is closed, all of it, unless not wanted.
  std::vector<model::LayerId> selected(bool withFolded = true) const;

 signals:
  /// The context menu is wanted here.
  void menuRequested(const QPoint& globalPosition);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Delegate;
  struct Fold {
    std::vector<model::LayerId> layers;  ///< also those that are removed, which undo brings back
    bool open = false;
    /// The one of the layers that are there which stands for all, and the others.
    model::LayerId head = 0;
    std::vector<model::LayerId> members{};
  };
  /// The fold of several that a layer heads or is in, or null.
  Fold* foldOf(model::LayerId id);
  void setOpen(Fold& fold, bool open);
  bool isFolded(model::LayerId id);
  int hiddenIn(const Fold& fold);
  /// Offers the layers of the run that the current one is of.
  void showChoice();
  /// Brings folds and hidden rows up to date with the layers that are there.
  void hideFolded();
  void showCurrent();

  model::LayerStack& layers_;
  model::LayerListModel model_;
  QListView* list_ = nullptr;
  ResultChooser* chooser_ = nullptr;
  std::vector<Fold> folds_;
};

}  // namespace sulcus::ui::widgets
