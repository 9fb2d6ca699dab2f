#include "ui/widgets/panels/layers_panel.h"

#include "core/image/table_places.h"
#include "ui/model/session/file_names.h"
#include "ui/scene/common/colormap.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/result_chooser.h"
#include "ui/widgets/window/theme.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QLinearGradient>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <optional>

namespace sulcus::ui::widgets {
namespace {

constexpr int kEyeWidth = 36, kIndent = 18, kArrowWidth = 44;  ///< including the colors next to the eye
constexpr int kIcon = 16, kNameStart = kEyeWidth + kIcon + 7;

/// The colors of a layer, from bottom to top; none if it has no colors of its own.
std::optional<QLinearGradient> colorsOf(const model::LayerState& state, const QRectF& box) {
  QLinearGradient colors(box.bottomLeft(), box.topLeft());
  const auto add = [&](double place, const auto& color) {
    colors.setColorAt(place, QColor(int(color[0]), int(color[1]), int(color[2])));
  };
  if (const auto* labels = std::get_if<LabelsLayer>(&state.layer->content)) {
    add(0, scene::labelColor(1, labels->names.get()));
    return colors;
  }
  const auto* volume = std::get_if<VolumeLayer>(&state.layer->content);
  if (!volume || volume->colors) return std::nullopt;
  constexpr int kStops = 8;
  const auto table = scene::colormapTable(state.display.colormap);
  for (int i = 0; i <= kStops; ++i)
    add(double(i) / kStops, table[std::size_t(i * (int(table.size()) - 1) / kStops)]);
  return colors;
}

}  // namespace

/// The name after an eye that toggles on click and a drawing of the kind; the first of a fold has an arrow at
/// its end, those below it are indented.
class LayersPanel::Delegate : public QStyledItemDelegate {
 public:
  explicit Delegate(LayersPanel& panel) : QStyledItemDelegate(&panel), panel_(panel) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {120, option.fontMetrics.height() + 13};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem base(option);
    initStyleOption(&base, index);
    base.text.clear();
    base.features &= ~QStyleOptionViewItem::HasCheckIndicator;
    const QWidget* widget = option.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &base, painter, widget);

    const bool selected = option.state & QStyle::State_Selected;
    const QVariant eye = index.data(Qt::CheckStateRole);  // none for layers that no view shows
    const bool visible = !eye.isValid() || eye.toInt() == Qt::Checked;
    const QColor text = option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    QColor quiet = text;
    quiet.setAlphaF(selected ? 0.8f : 0.6f);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const model::LayerId id = index.data(model::LayerListModel::idRole).toInt();
    const Fold* fold = panel_.foldOf(id);
    const bool isHead = fold && fold->head == id;
    const QRect row = rowRect(option, index);
    const model::LayerState* state = panel_.layers_.find(id);
    if (eye.isValid()) drawEye(painter, eyeRect(row), visible ? text : quiet, visible);
    const QRectF strip(row.left() + kEyeWidth - 8, row.top() + 5, 3, row.height() - 10);
    if (const auto colors = state ? colorsOf(*state, strip) : std::nullopt) {
      painter->setOpacity(visible ? 1 : 0.4);
      painter->fillRect(strip, *colors);
      painter->setOpacity(1);
    }

    const QRectF icon(row.left() + kEyeWidth, row.center().y() - kIcon / 2 + 1, kIcon, kIcon);
    drawThemeIcon(*painter, index.data(model::LayerListModel::iconRole).toString(), icon,
                  visible ? text : quiet);

    const QRect line = row.adjusted(kNameStart, 0, isHead ? -kArrowWidth : -6, 0);
    painter->setPen(visible ? text : quiet);
    painter->setFont(option.font);
    QStringList all;
    for (const model::LayerState& state : panel_.layers_.layers())
      all << model::nameForEye(panel_.layers_, state.name);
    const QString whole = index.data(Qt::EditRole).toString(),
                  mark = index.data().toString().chopped(whole.size()),
                  own = model::nameForEye(panel_.layers_, whole);
    const QString shown = mark + model::ShortNames(all)(own, [&](const QString& text) {
                            return option.fontMetrics.horizontalAdvance(mark + text) <= line.width();
                          });
    const QString name = option.fontMetrics.elidedText(shown, Qt::ElideMiddle, line.width());
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
    if (isHead) {
      QFont small = option.font;
      small.setPointSizeF(small.pointSizeF() * 0.85);
      painter->setFont(small);
      painter->setPen(quiet);
      const QRect end(row.right() - kArrowWidth, row.top(), kArrowWidth - 6, row.height());
      if (const int hidden = panel_.hiddenIn(*fold); hidden > 0)
        painter->drawText(end.adjusted(0, 0, -16, 0), Qt::AlignRight | Qt::AlignVCenter,
                          QStringLiteral("+%1").arg(hidden));
      drawArrow(painter, QPointF(end.right() - 6, end.center().y() + 1), text, fold->open);
    }
    painter->restore();
  }

  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override {
    editor->setGeometry(rowRect(option, index).adjusted(kNameStart - 6, 1, -2, -1));
  }

  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
    const bool press =
        event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
    if (!press && event->type() != QEvent::MouseButtonRelease) return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() != Qt::LeftButton) return false;
    const model::LayerId id = index.data(model::LayerListModel::idRole).toInt();
    const QRect row = rowRect(option, index);
    if (Fold* fold = panel_.foldOf(id);
        fold && fold->head == id && mouse->position().x() > row.right() - kArrowWidth) {
      if (event->type() == QEvent::MouseButtonPress) panel_.setOpen(*fold, !fold->open);
      return true;
    }
    const QVariant eye = index.data(Qt::CheckStateRole);
    if (!eye.isValid() || mouse->position().x() > row.left() + kEyeWidth) return false;
    if (press) {
      const bool visible = eye.toInt() == Qt::Checked;
      model->setData(index, int(visible ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
    }
    return true;  // the eye neither selects nor renames
  }

 private:
  QRect rowRect(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const model::LayerId id = index.data(model::LayerListModel::idRole).toInt();
    const Fold* fold = panel_.foldOf(id);
    // A visible one above the head is not below anything.
    const bool isBelow = fold && panel_.layers_.positionOf(id) < panel_.layers_.positionOf(fold->head);
    return option.rect.adjusted(isBelow ? kIndent : 0, 0, 0, 0);
  }

  static void drawArrow(QPainter* painter, const QPointF& middle, const QColor& color, bool down) {
    QPainterPath arrow;
    arrow.moveTo(-2.5, -5);
    arrow.lineTo(3.5, 0);
    arrow.lineTo(-2.5, 5);
    painter->save();
    painter->translate(middle);
    if (down) painter->rotate(90);
    painter->setPen(QPen(color, 1.6));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(arrow);
    painter->restore();
  }

  static QRectF eyeRect(const QRect& item) { return QRectF(item.left() + 7, item.center().y() - 7, 16, 14); }

  static void drawEye(QPainter* painter, const QRectF& box, const QColor& color, bool open) {
    QPainterPath lid;
    const QPointF left(box.left(), box.center().y()), right(box.right(), box.center().y());
    lid.moveTo(left);
    lid.quadTo(QPointF(box.center().x(), box.top() - 3), right);
    lid.quadTo(QPointF(box.center().x(), box.bottom() + 3), left);
    // A closed one is dimmer than an open one.
    painter->setOpacity(open ? 1 : 0.45);
    painter->setPen(QPen(color, open ? 1.4 : 1.1));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(lid);
    if (open) {
      painter->setBrush(color);
      painter->drawEllipse(box.center(), 2.4, 2.4);
    } else {
      painter->drawLine(box.bottomLeft() + QPointF(1, 0), box.topRight() + QPointF(-1, 0));
    }
    painter->setOpacity(1);
  }

  LayersPanel& panel_;
};

LayersPanel::LayersPanel(model::LayerStack& layers, QWidget* parent)
    : QWidget(parent), layers_(layers), model_(layers) {
  list_ = named("layers", new QListView, tr("Layers, top first"));
  list_->setModel(&model_);
  list_->setItemDelegate(new Delegate(*this));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setDefaultDropAction(Qt::MoveAction);
  list_->setDragDropOverwriteMode(false);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked);  // F2 is a command of the window
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  list_->setUniformItemSizes(true);
  list_->setFrameShape(QFrame::NoFrame);
  auto* column = tight<QVBoxLayout>(this, 0);
  column->addWidget(list_);
  chooser_ = new ResultChooser(layers_);
  column->addWidget(chooser_);

  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) layers_.setCurrent(model_.idAt(now));
          });
  connect(&layers_, &model::LayerStack::currentChanged, this, &LayersPanel::showCurrent);
  connect(&model_, &QAbstractItemModel::modelReset, this, &LayersPanel::showCurrent);
  connect(&layers_, &model::LayerStack::changed, this,
          &LayersPanel::showCurrent);  // not one that was current for a moment
  connect(list_, &QWidget::customContextMenuRequested, this,
          [this](const QPoint& at) { emit menuRequested(list_->viewport()->mapToGlobal(at)); });
  // Rows that are new to the list are shown until they are hidden again.
  connect(&model_, &QAbstractItemModel::modelReset, this, &LayersPanel::hideFolded);
  // Visible and current layers are not hidden in a fold.
  connect(&layers_, &model::LayerStack::changed, this, &LayersPanel::hideFolded);
  list_->installEventFilter(this);
  showCurrent();
}

void LayersPanel::fold(const std::vector<model::LayerId>& layers) {
  if (layers.empty()) return;
  const Fold* former = foldOf(layers.front());
  const bool open = former && former->open;
  std::erase_if(folds_, [&](const Fold& fold) {
    return std::ranges::find(fold.layers, layers.front()) != fold.layers.end();
  });
  folds_.push_back({layers, open});
  hideFolded();
}

LayersPanel::Fold* LayersPanel::foldOf(model::LayerId id) {
  const auto found = std::find_if(folds_.begin(), folds_.end(), [&](const Fold& fold) {
    return !fold.members.empty() &&
           (fold.head == id || std::ranges::find(fold.members, id) != fold.members.end());
  });
  return found == folds_.end() ? nullptr : &*found;
}

void LayersPanel::setOpen(Fold& fold, bool open) {
  fold.open = open;
  hideFolded();
}

bool LayersPanel::isFolded(model::LayerId id) {
  const Fold* fold = foldOf(id);
  return fold && fold->head != id && !fold->open && id != layers_.current() &&
         !(layers_.find(id)->display.visible && isDrawn(*layers_.find(id)->layer));
}

void LayersPanel::hideFolded() {
  for (Fold& fold : folds_) {
    fold.members.clear();
    std::ranges::copy_if(fold.layers, std::back_inserter(fold.members),
                         [this](model::LayerId id) { return layers_.find(id) != nullptr; });
    // It stands for the selected layer: the current one, else the visible one, else the first.
    const auto isSeen = [this](model::LayerId id) {
      const model::LayerState* state = layers_.find(id);
      return state->display.visible && isDrawn(*state->layer);
    };
    auto head = std::ranges::find(fold.members, layers_.current());
    if (head == fold.members.end()) head = std::ranges::find_if(fold.members, isSeen);
    if (head == fold.members.end() || fold.open) head = fold.members.begin();
    fold.head = fold.members.empty() ? 0 : *head;
    if (!fold.members.empty()) fold.members.erase(head);
  }
  for (int row = 0; row < model_.rowCount(); ++row) {
    list_->setRowHidden(row, isFolded(model_.idAt(model_.index(row))));
  }
  showChoice();
  list_->viewport()->update();
}

int LayersPanel::hiddenIn(const Fold& fold) {
  return int(std::ranges::count_if(fold.members, [this](model::LayerId id) { return isFolded(id); }));
}

void LayersPanel::showChoice() {
  const Fold* fold = foldOf(layers_.current());
  chooser_->offer(fold ? fold->layers : std::vector<model::LayerId>(), layers_.current());
}

bool LayersPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == list_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    Fold* fold = foldOf(layers_.current());
    if (fold && (key == Qt::Key_Left || key == Qt::Key_Right)) {
      setOpen(*fold, key == Qt::Key_Right);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void LayersPanel::editName() {
  list_->setFocus();
  list_->edit(model_.indexOf(layers_.current()));
}

void LayersPanel::showCurrent() {
  const QModelIndex index = model_.indexOf(layers_.current());
  // setCurrentIndex() of the list would add it to the selection while Ctrl is held, as for Ctrl+Z.
  if (index.isValid() && list_->currentIndex() != index)
    list_->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect);
}

std::vector<model::LayerId> LayersPanel::selected(bool withFolded) const {
  QModelIndexList indexes = list_->selectionModel()->selectedIndexes();
  std::sort(indexes.begin(), indexes.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
  std::vector<model::LayerId> ids;
  const auto take = [&](model::LayerId id) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  };
  const auto takeThere = [&](model::LayerId id) {
    if (layers_.find(id)) take(id);
  };
  for (const auto& index : indexes) {
    const model::LayerId id = model_.idAt(index);
    take(id);
    for (const Fold& fold : folds_)
      if (withFolded && fold.head == id && !fold.open) std::ranges::for_each(fold.layers, takeThere);
  }
  return ids;
}

}  // namespace sulcus::ui::widgets
