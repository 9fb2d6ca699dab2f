#include "ui/widgets/panels/layer_picker.h"

#include "ui/widgets/controls/widget_help.h"

#include <QGuiApplication>
#include <QListWidget>
#include <QScreen>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sulcus::ui::widgets {

LayerPicker::LayerPicker(const QString& nothing, QWidget* parent)
    : ElidedComboBox(parent), nothing_(nothing) {
  setMinimumWidth(80);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  addItem(nothing_);
  auto* frame = new QFrame(this, Qt::Popup);
  popup_ = frame;
  frame->setFrameShape(QFrame::StyledPanel);
  list_ = new QListWidget;
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setDefaultDropAction(Qt::MoveAction);
  list_->setAccessibleName(tr("Layers to choose, in order"));
  list_->setFrameShape(QFrame::NoFrame);
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(6, 6, 6, 6);
  column->addWidget(quietLabel(tr("Taken from top to bottom; drag to reorder. Shift: all up to there.")));
  column->addWidget(list_);
  connect(list_, &QListWidget::itemChanged, this, &LayerPicker::tell);
  // The list itself toggles a row only by its check box: the name next to it is the larger target.
  connect(list_, &QListWidget::itemPressed, this, [this] { unchanged_ = true; });
  connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
    if (unchanged_) item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    const int row = list_->row(item), from = std::exchange(last_, row);
    if (QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier) && from >= 0)
      checkBetween(from, row);
  });
  connect(list_->model(), &QAbstractItemModel::rowsMoved, this, &LayerPicker::tell);
}

void LayerPicker::checkBetween(int from, int to) {
  {
    const QSignalBlocker quiet(list_);
    for (int row = std::min(from, to); row <= std::max(from, to); ++row)
      if (QListWidgetItem* item = list_->item(row)) item->setCheckState(list_->item(to)->checkState());
  }
  tell();
}

void LayerPicker::showPopup() {
  last_ = -1;
  const int rows = std::clamp(list_->count(), 2, 12);
  popup_->setFixedWidth(std::max(width(), 260));
  popup_->setFixedHeight(rows * (fontMetrics().height() + 8) + 48);
  QPoint at = mapToGlobal(QPoint(0, height()));
  const QRect room = screen()->availableGeometry();
  at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - popup_->width())));
  if (at.y() + popup_->height() > room.bottom()) at.setY(mapToGlobal(QPoint()).y() - popup_->height());
  popup_->move(at);
  popup_->show();
  list_->setFocus();
}

void LayerPicker::setLayers(const std::vector<std::pair<model::LayerId, QString>>& offered,
                            const std::vector<model::LayerId>& chosen) {
  const auto isChosen = [&](model::LayerId id) {
    return std::find(chosen.begin(), chosen.end(), id) != chosen.end();
  };
  std::vector<std::pair<model::LayerId, QString>> order;
  for (const model::LayerId id : chosen)
    for (const auto& layer : offered)
      if (layer.first == id) order.push_back(layer);
  for (const auto& layer : offered)
    if (!isChosen(layer.first)) order.push_back(layer);
  // During checking or dragging, only what has really changed is rewritten.
  const QSignalBlocker quiet(list_);
  const bool same = list_->count() == int(order.size()) && checked() == chosen;
  if (!same || (order != offered_ && !popup_->isVisible())) {
    offered_ = order;
    list_->clear();
    for (const auto& [id, name] : order) {
      auto* item = new QListWidgetItem(name, list_);
      item->setData(Qt::UserRole, id);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable |
                     Qt::ItemIsDragEnabled);
      item->setCheckState(isChosen(id) ? Qt::Checked : Qt::Unchecked);
    }
  }
  sayChoice();
}

std::vector<model::LayerId> LayerPicker::checked() const {
  std::vector<model::LayerId> ids;
  for (int row = 0; row < list_->count(); ++row)
    if (list_->item(row)->checkState() == Qt::Checked)
      ids.push_back(list_->item(row)->data(Qt::UserRole).toInt());
  return ids;
}

QStringList LayerPicker::names() const {
  QStringList all;
  for (int row = 0; row < list_->count(); ++row) all << list_->item(row)->text();
  return all;
}

void LayerPicker::sayChoice() {
  QStringList names;
  for (int row = 0; row < list_->count(); ++row)
    if (list_->item(row)->checkState() == Qt::Checked) names << list_->item(row)->text();
  const QString some = names.size() == 1 ? names.front() : tr("%1 layers").arg(names.size());
  setItemText(0, names.isEmpty() ? nothing_ : some);
  setToolTip(names.size() > 1 ? names.join(QLatin1Char('\n')) : QString());
}

void LayerPicker::tell() {
  unchanged_ = false;
  sayChoice();
  emit chosen(checked());
}

}  // namespace sulcus::ui::widgets
