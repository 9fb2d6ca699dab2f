#include "ui/model/layers/layer_list_model.h"

#include "core/image/display/layer_kinds.h"
#include "core/image/table_places.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/model/text/localize.h"

#include <QMimeData>
#include <algorithm>

namespace sulcus::ui::model {
namespace {
const QString kMime = QStringLiteral("application/x-sulcus-layers");

QStringList warningWords(const Layer& layer) {
  QStringList warnings;
  for (const auto& warning : warningsIn(layer.notes)) warnings << noteText(warning);
  return warnings;
}
}  // namespace

QString kindText(const Layer& layer) {
  const QString kind = words(kindOf(layer));
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content);
      volume && volume->series->count > 1 && !volume->colors)
    return LayerListModel::tr("%1, %2 volumes").arg(kind).arg(volume->series->count);
  if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content); peaks && peaks->peaks->count > 0)
    return peaks->peaks->count == 3
               ? LayerListModel::tr("%1, 1 direction").arg(kind)
               : LayerListModel::tr("%1, up to %2 directions").arg(kind).arg(peaks->peaks->count / 3);
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content))
    return LayerListModel::tr("%1, %2 triangles")
        .arg(kind, formatNumber(double(surface->mesh->triangles.size())));
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content))
    return LayerListModel::tr("%1, %2 lines").arg(kind, formatNumber(double(lines->tracts->lines())));
  if (const auto* table = std::get_if<TableLayer>(&layer.content))
    return LayerListModel::tr("%1, %2 × %3").arg(kind).arg(table->rows.size()).arg(table->columns.size());
  return kind;
}

QString kindIcon(const Layer& layer) {
  QString kind = QString::fromStdString(kindOf(layer));
  return QStringLiteral("layer-") + kind.replace(QLatin1Char(' '), QLatin1Char('-'));
}

LayerListModel::LayerListModel(LayerStack& layers, QObject* parent)
    : QAbstractListModel(parent), layers_(layers) {
  connect(&layers_, &LayerStack::added, this, &LayerListModel::rebuild);
  connect(&layers_, &LayerStack::removed, this, &LayerListModel::rebuild);
  connect(&layers_, &LayerStack::reordered, this, &LayerListModel::rebuild);
  const auto changed = [this](LayerId id) {
    const QModelIndex where = indexOf(id);
    if (where.isValid()) emit dataChanged(where, where);
  };
  connect(&layers_, &LayerStack::displayChanged, this, changed);
  connect(&layers_, &LayerStack::contentChanged, this, changed);
  rebuild();
}

void LayerListModel::rebuild() {
  beginResetModel();
  rows_.clear();
  for (auto layer = layers_.layers().rbegin(); layer != layers_.layers().rend(); ++layer)
    rows_.push_back(layer->id);
  endResetModel();
}

LayerId LayerListModel::idAt(const QModelIndex& index) const {
  return index.isValid() && index.row() < int(rows_.size()) ? rows_[std::size_t(index.row())] : 0;
}

QModelIndex LayerListModel::indexOf(LayerId id) const {
  const auto found = std::find(rows_.begin(), rows_.end(), id);
  return found == rows_.end() ? QModelIndex() : index(int(found - rows_.begin()));
}

int LayerListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(rows_.size());
}

QVariant LayerListModel::data(const QModelIndex& index, int role) const {
  const LayerState* state = layers_.find(idAt(index));
  if (!state) return {};
  switch (role) {
    case Qt::DisplayRole:
      return warningWords(*state->layer).empty() ? state->name : QStringLiteral("⚠ ") + state->name;
    case Qt::EditRole:
      return state->name;
    case Qt::CheckStateRole:
      if (!isDrawn(*state->layer)) return {};
      return int(state->display.visible ? Qt::Checked : Qt::Unchecked);
    case Qt::ToolTipRole: {
      QString tip = state->name + QLatin1Char('\n') + kindText(*state->layer);
      if (const Grid* grid = gridOf(*state->layer)) tip += QLatin1Char('\n') + words(describeGrid(*grid));
      if (!state->layer->source.empty())
        tip += QLatin1Char('\n') + QString::fromStdString(state->layer->source);
      for (const QString& warning : warningWords(*state->layer)) tip += QLatin1Char('\n') + warning;
      return tip;
    }
    case idRole:
      return state->id;
    case Qt::AccessibleDescriptionRole:
      return kindText(*state->layer);
    case iconRole:
      return kindIcon(*state->layer);
    default:
      return {};
  }
}

bool LayerListModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const LayerId id = idAt(index);
  if (id == 0) return false;
  if (role == Qt::CheckStateRole)
    layers_.setVisible(id, value.toInt() == Qt::Checked);
  else if (role == Qt::EditRole)
    layers_.rename(id, value.toString());
  else
    return false;
  return true;
}

Qt::ItemFlags LayerListModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::ItemIsDropEnabled;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsUserCheckable |
         Qt::ItemIsDragEnabled;
}

QStringList LayerListModel::mimeTypes() const { return {kMime}; }

QMimeData* LayerListModel::mimeData(const QModelIndexList& indexes) const {
  auto* data = new QMimeData;
  data->setData(kMime, indexes.isEmpty() ? QByteArray() : QByteArray::number(idAt(indexes.front())));
  return data;
}

bool LayerListModel::dropMimeData(const QMimeData* data, Qt::DropAction, int row, int,
                                  const QModelIndex& parent) {
  if (!data->hasFormat(kMime)) return false;
  const LayerId id = data->data(kMime).toInt();
  const QModelIndex from = indexOf(id);
  if (!from.isValid()) return false;
  if (row < 0) row = parent.isValid() ? parent.row() : int(rows_.size());
  if (row > from.row()) --row;  // the row leaves its old position first
  layers_.move(id, rowOfPosition(std::size_t(std::clamp(row, 0, int(rows_.size()) - 1))));
  return false;  // the stack moved it: the view must not remove the dragged row
}

QString nameForEye(const LayerStack& layers, const QString& name) {
  const auto backendIn = [](const QString& text) {
    for (const char* backend : {" (CPU)", " (GPU)"})
      if (text.endsWith(QLatin1String(backend))) return QString(QLatin1String(backend));
    return QString();
  };
  const QString own = backendIn(name);
  const auto isOther = [&](const LayerState& state) {
    return state.origin == Origin::computed && state.name.endsWith(QLatin1Char(')')) &&
           backendIn(state.name) != own;
  };
  const bool alone = std::none_of(layers.layers().begin(), layers.layers().end(), isOther);
  return alone ? name.chopped(own.size()) : name;
}

}  // namespace sulcus::ui::model
