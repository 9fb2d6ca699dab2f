#include "ui/model/layers/table_model.h"

#include "ui/model/views/bookmarks.h"

#include <utility>

namespace sulcus::ui::model {
namespace {

/// Converts "volume_mm3" to "volume (mm³)".
QString plainHeading(QString name) {
  static const std::pair<QString, QString> kUnits[] = {{QStringLiteral("_mm3"), QStringLiteral("mm³")},
                                                       {QStringLiteral("_mm2"), QStringLiteral("mm²")},
                                                       {QStringLiteral("_mm"), QStringLiteral("mm")}};
  for (const auto& [end, unit] : kUnits)
    if (name.endsWith(end)) {
      name = QStringLiteral("%1 (%2)").arg(name.chopped(end.size()), unit);
      break;
    }
  return name.replace(QLatin1Char('_'), QLatin1Char(' '));
}

}  // namespace

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
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::EditRole) return cell;
  if (role != Qt::TextAlignmentRole) return {};
  bool number = false;
  cell.toDouble(&number);
  return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole || !table()) return {};
  if (orientation == Qt::Vertical) return section + 1;
  if (section >= columnCount()) return {};
  const QString name = QString::fromStdString(table()->columns[std::size_t(section)]);
  return layer_->source.empty() ? plainHeading(name) : name;  // a file's own headings are kept
}

Qt::ItemFlags TableModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return table() && index.column() == 0 && Bookmarks::holds(*layer_) ? flags | Qt::ItemIsEditable : flags;
}

bool TableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
  emit renamed(index.row(), value.toString());
  return true;
}

}  // namespace sulcus::ui::model
