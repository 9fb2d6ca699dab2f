#include "ui/widgets/layers_panel.h"

#include <QAbstractItemView>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui {
namespace {

constexpr int kEyeWidth = 30;

/// Two lines, the name and the kind, behind an eye that a click opens and closes.
class LayerDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {120, 2 * option.fontMetrics.height() + 10};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem base(option);
    initStyleOption(&base, index);
    base.text.clear();
    base.features &= ~QStyleOptionViewItem::HasCheckIndicator;
    const QWidget* widget = option.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &base, painter, widget);

    const bool selected = option.state & QStyle::State_Selected;
    const bool visible = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const QColor text = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    QColor quiet = text;
    quiet.setAlphaF(selected ? 0.8f : 0.6f);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    drawEye(painter, eyeRect(option.rect), visible ? text : quiet, visible);

    const QRect lines = option.rect.adjusted(kEyeWidth, 4, -6, -4);
    const int half = lines.height() / 2;
    painter->setPen(visible ? text : quiet);
    painter->setFont(option.font);
    const QString name =
        option.fontMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, lines.width());
    painter->drawText(lines.adjusted(0, 0, 0, -half), Qt::AlignLeft | Qt::AlignVCenter, name);
    QFont small = option.font;
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter->setFont(small);
    painter->setPen(quiet);
    const QString kind = QFontMetrics(small).elidedText(index.data(LayerListModel::kindRole).toString(),
                                                        Qt::ElideRight, lines.width());
    painter->drawText(lines.adjusted(0, half, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, kind);
    painter->restore();
  }

  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex&) const override {
    editor->setGeometry(option.rect.adjusted(kEyeWidth - 4, 2, -2, -2));
  }

  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
    const bool press =
        event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
    if (!press && event->type() != QEvent::MouseButtonRelease) return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton || mouse->position().x() > option.rect.left() + kEyeWidth)
      return false;
    if (press) {
      const bool visible = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
      model->setData(index, int(visible ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
    }
    return true;  // the eye neither selects nor renames
  }

 private:
  static QRectF eyeRect(const QRect& item) { return QRectF(item.left() + 7, item.center().y() - 7, 16, 14); }

  static void drawEye(QPainter* painter, const QRectF& box, const QColor& color, bool open) {
    QPainterPath lid;
    const QPointF left(box.left(), box.center().y()), right(box.right(), box.center().y());
    lid.moveTo(left);
    lid.quadTo(QPointF(box.center().x(), box.top() - 3), right);
    lid.quadTo(QPointF(box.center().x(), box.bottom() + 3), left);
    painter->setPen(QPen(color, 1.4));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(lid);
    if (open) {
      painter->setBrush(color);
      painter->drawEllipse(box.center(), 2.4, 2.4);
    } else {
      painter->drawLine(box.bottomLeft() + QPointF(1, 0), box.topRight() + QPointF(-1, 0));
    }
  }
};

}  // namespace

LayersPanel::LayersPanel(LayerStack& layers, QWidget* parent)
    : QWidget(parent), layers_(layers), model_(layers) {
  list_ = new QListView;
  list_->setObjectName(QStringLiteral("layers"));
  list_->setAccessibleName(tr("Layers, top first"));
  list_->setModel(&model_);
  list_->setItemDelegate(new LayerDelegate(list_));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setDefaultDropAction(Qt::MoveAction);
  list_->setDragDropOverwriteMode(false);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->setUniformItemSizes(true);
  list_->setFrameShape(QFrame::NoFrame);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(list_);

  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) layers_.setCurrent(model_.idAt(now));
          });
  connect(&layers_, &LayerStack::currentChanged, this, &LayersPanel::showCurrent);
  connect(&model_, &QAbstractItemModel::modelReset, this, &LayersPanel::showCurrent);
  connect(list_, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { emit menuRequested(list_->viewport()->mapToGlobal(at)); });
  showCurrent();
}

void LayersPanel::showCurrent() {
  const QModelIndex index = model_.indexOf(layers_.current());
  if (index.isValid() && list_->currentIndex() != index) list_->setCurrentIndex(index);
}

std::vector<LayerId> LayersPanel::selected() const {
  QModelIndexList indexes = list_->selectionModel()->selectedIndexes();
  std::sort(indexes.begin(), indexes.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
  std::vector<LayerId> ids;
  for (const auto& index : indexes) ids.push_back(model_.idAt(index));
  return ids;
}

}  // namespace sulcus::ui
