#pragma once

#include "ui/model/layers/layer_stack.h"

#include <QAbstractListModel>

namespace sulcus::ui::model {

/// The stack as a list, top layer first: the eye as check state, names editable, rows draggable. The kind of
/// layer is the name of a drawing (iconRole), and a word in the tool tip and for screen readers.
class LayerListModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { idRole = Qt::UserRole, iconRole };

  /// `layers` must outlive this.
  explicit LayerListModel(LayerStack& layers, QObject* parent = nullptr);

  LayerId idAt(const QModelIndex& index) const;
  QModelIndex indexOf(LayerId id) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 private:
  int rowOfPosition(std::size_t position) const { return int(layers_.layers().size()) - 1 - int(position); }
  void rebuild();

  LayerStack& layers_;
  std::vector<LayerId> rows_;  ///< as last announced to the views
};

/// "series, 65 volumes", "peaks, up to 3 directions", "table, 45 × 4" (rows by columns)
QString kindText(const Layer& layer);

/// The name of the drawing of its kind: "layer-volume", "layer-color-image".
QString kindIcon(const Layer& layer);

/// A layer's name for display: without "(CPU)" or "(GPU)" while the results of all runs end in it.
QString nameForEye(const LayerStack& layers, const QString& name);

}  // namespace sulcus::ui::model
