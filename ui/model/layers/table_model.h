#pragma once

#include "core/image/layer.h"

#include <QAbstractTableModel>

namespace sulcus::ui::model {

/// A table layer as rows and columns. The names of bookmarks can be edited.
class TableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// For anything but a table layer there are no rows.
  void setLayer(LayerPtr layer);
  /// What is shown; null without rows.
  const TableLayer* table() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  /// The user typed a name for a bookmark.
  void renamed(int row, const QString& name);

 private:
  LayerPtr layer_;
};

}  // namespace sulcus::ui::model
