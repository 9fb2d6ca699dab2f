#include "ui/model/table_model.h"

#include <utility>

namespace sulcus::ui::model {

void TableModel::setLayer(LayerPtr layer) {
  beginResetModel();
  layer_ = std::move(layer);
  endResetModel();
}

const TableLayer* TableModel::table() const {
  return layer_ ? std::get_if<TableLayer>(&layer_->content) : nullptr;
}

int TableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !table() ? 0 : int(table()->rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !table() ? 0 : int(table()->columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& row = table()->rows[std::size_t(index.row())];
  if (std::size_t(index.column()) >= row.size()) return {};
  const QString cell = QString::fromStdString(row[std::size_t(index.column())]);
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return cell;
  if (role != Qt::TextAlignmentRole) return {};
  bool number = false;
  cell.toDouble(&number);
  return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || !table()) return {};
  if (orientation == Qt::Vertical) return section + 1;
  return section < columnCount() ? QString::fromStdString(table()->columns[std::size_t(section)])
                                 : QVariant();
}

}  // namespace sulcus::ui::model
