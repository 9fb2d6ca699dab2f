#include "ui/widgets/panels/label_list.h"

#include "core/base/figure.h"
#include "ui/model/views/search.h"
#include "ui/scene/common/colormap.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/theme.h"

#include <QColorDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPixmap>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

enum Column { nameColumn, amountColumn };
constexpr int kRowsAtOnce = 9;

}  // namespace

LabelList::LabelList(model::LabelLists& lists, QWidget* parent) : QWidget(parent), lists_(lists) {
  query_ = named("labelFilter", new QLineEdit, tr("Filter the labels"));
  query_->setToolTip(tr("Shows the labels whose names or numbers contain this; Return goes to the first"));
  query_->addAction(themeIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  query_->setClearButtonEnabled(true);
  query_->installEventFilter(this);
  list_ = named("labels", new QTreeWidget, tr("Labels of the layer"));
  list_->setToolTip(
      tr("Click a label to go there; a double click renames it. Right-click to color, merge or delete the "
         "selected ones"));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QTreeWidget::itemChanged, this, &LabelList::takeName);
  connect(list_, &QWidget::customContextMenuRequested, this, &LabelList::showMenu);
  list_->setColumnCount(2);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(amountColumn, QHeaderView::ResizeToContents);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = tight<QVBoxLayout>(this, 4);
  column->addWidget(query_);
  column->addWidget(list_);
  connect(query_, &QLineEdit::textChanged, this, &LabelList::filter);
  connect(query_, &QLineEdit::returnPressed, this, [this] { lead(firstShown()); });
  connect(list_, &QTreeWidget::itemClicked, this, &LabelList::lead);
  connect(list_, &QTreeWidget::itemActivated, this, &LabelList::lead);
}

void LabelList::show(const model::LayerState& state) {
  const auto labels = lists_.of(state);
  layer_ = state.id;
  if (labels == shown_) return;
  shown_ = labels;
  query_->clear();
  list_->clear();
  if (!shown_) return query_->hide();
  list_->setHeaderLabels({tr("Label"), shown_->unit});
  list_->headerItem()->setTextAlignment(amountColumn, Qt::AlignRight | Qt::AlignVCenter);
  QList<QTreeWidgetItem*> items;
  for (const model::ListedLabels::Entry& one : shown_->labels) {
    auto* item = new QTreeWidgetItem(QStringList{one.name, QString::fromStdString(figure(one.amount, 2))});
    item->setIcon(nameColumn, colorIcon(scene::labelColor(one.label, shown_->names.get())));
    item->setTextAlignment(amountColumn, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(nameColumn, tr("%1: %2").arg(one.name, one.size));
    if (std::holds_alternative<LabelsLayer>(state.layer->content))
      item->setFlags(item->flags() | Qt::ItemIsEditable);
    items << item;
  }
  const QSignalBlocker quiet(list_);
  list_->addTopLevelItems(items);
  const int rows = std::clamp(int(items.size()), 1, kRowsAtOnce);
  list_->setFixedHeight(list_->header()->sizeHint().height() + rows * (fontMetrics().height() + 4) +
                        2 * list_->frameWidth() + 2);
  query_->setVisible(items.size() > kRowsAtOnce);
  query_->setPlaceholderText(tr("Filter %1 labels").arg(items.size()));
}

void LabelList::filter(const QString& typed) {
  for (int row = 0; row < list_->topLevelItemCount(); ++row) {
    QTreeWidgetItem* item = list_->topLevelItem(row);
    item->setHidden(!model::hasWords(typed, item->text(nameColumn)));
  }
}

sulcus::Label LabelList::labelOf(const QTreeWidgetItem& item) const {
  return shown_->labels[std::size_t(list_->indexOfTopLevelItem(&const_cast<QTreeWidgetItem&>(item)))].label;
}

QTreeWidgetItem* LabelList::itemOf(sulcus::Label label, model::LayerId of) const {
  if (!shown_ || layer_ != of) return nullptr;
  const auto one = std::ranges::find(shown_->labels, label, &model::ListedLabels::Entry::label);
  return one == shown_->labels.end() ? nullptr : list_->topLevelItem(int(one - shown_->labels.begin()));
}

LabelEntry LabelList::entryOf(sulcus::Label label) const {
  if (!shown_->names || !shown_->names->contains(label)) return {};
  return shown_->names->at(label);
}

void LabelList::takeName(QTreeWidgetItem* item) {
  if (!shown_) return;
  // The row begins with the number, which is not part of the name.
  const QString number = QString::number(labelOf(*item));
  QString name = item->text(nameColumn).trimmed();
  if (name == number || name.startsWith(number + QLatin1Char(' '))) name = name.mid(number.size()).trimmed();
  LabelEntry entry = entryOf(labelOf(*item));
  if (entry.name == name.toStdString()) return;
  entry.name = name.toStdString();
  emit entryChanged(labelOf(*item), entry);
}

void LabelList::showMenu(const QPoint& at) {
  QTreeWidgetItem* item = list_->itemAt(at);
  if (!item || !(item->flags() & Qt::ItemIsEditable)) return;
  auto* menu = deletedOnClose(new QMenu(this));
  // The list may be filled again, by another layer, too, while the menu or a dialog is open.
  const std::set<sulcus::Label> chosen = selected();
  const model::LayerId of = layer_;
  const sulcus::Label into = labelOf(*item);
  menu->addAction(tr("Rename"), this, [this, into, of] {
    if (QTreeWidgetItem* const renamed = itemOf(into, of)) list_->editItem(renamed, nameColumn);
  });
  menu->addAction(tr("Color…"), this, [this, into, of] {
    if (itemOf(into, of)) pickColor(into);
  });
  QAction* merge = menu->addAction(
      chosen.size() > 1 ? tr("Merge %1 labels into %2").arg(chosen.size()).arg(item->text(nameColumn))
                        : tr("Merge (choose several with Ctrl)"),
      this, [this, chosen, into, of] {
        if (layer_ == of) emit relabelRequested(chosen, into);
      });
  merge->setObjectName(QStringLiteral("mergeLabels"));
  merge->setEnabled(chosen.size() > 1);
  QAction* remove = menu->addAction(
      chosen.size() > 1 ? tr("Delete %1 labels").arg(chosen.size()) : tr("Delete"), this, [this, chosen, of] {
        if (layer_ == of) emit relabelRequested(chosen, 0);
      });
  remove->setObjectName(QStringLiteral("deleteLabels"));
  menu->popup(list_->viewport()->mapToGlobal(at));
}

void LabelList::pickColor(sulcus::Label label) {
  if (!shown_) return;
  const scene::Rgb now = scene::labelColor(label, shown_->names.get());
  auto* dialog = deletedOnClose(new QColorDialog(QColor(now[0], now[1], now[2]), this));
  connect(dialog, &QColorDialog::colorSelected, this, [this, label, of = layer_](const QColor& chosen) {
    if (!itemOf(label, of)) return;
    LabelEntry entry = entryOf(label);
    entry.color = {std::uint8_t(chosen.red()), std::uint8_t(chosen.green()), std::uint8_t(chosen.blue())};
    emit entryChanged(label, entry);
  });
  dialog->open();
}

std::set<sulcus::Label> LabelList::selected() const {
  std::set<sulcus::Label> chosen;
  for (const QTreeWidgetItem* item : list_->selectedItems()) chosen.insert(labelOf(*item));
  return chosen;
}

QTreeWidgetItem* LabelList::firstShown() const {
  for (int row = 0; row < list_->topLevelItemCount(); ++row)
    if (!list_->topLevelItem(row)->isHidden()) return list_->topLevelItem(row);
  return nullptr;
}

void LabelList::choose(sulcus::Label label) {
  QTreeWidgetItem* const item = itemOf(label, layer_);
  if (!item) return;
  query_->clear();
  lead(item);
}

void LabelList::lead(QTreeWidgetItem* item) {
  if (!item) return;
  if (list_->currentItem() != item) list_->setCurrentItem(item);  // otherwise others stay selected with it
  list_->scrollToItem(item);
  emit placeChosen(shown_->labels[std::size_t(list_->indexOfTopLevelItem(item))].middle);
}

bool LabelList::eventFilter(QObject* watched, QEvent* event) {
  // The arrow key moves from the field into the list.
  if (watched == query_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down && firstShown()) {
    list_->setCurrentItem(firstShown());
    list_->setFocus();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace sulcus::ui::widgets
