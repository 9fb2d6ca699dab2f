#include "ui/widgets/label_list.h"

#include "core/image/label_regions.h"
#include "core/image/point_regions.h"
#include "ui/model/readout.h"
#include "ui/model/search.h"
#include "ui/scene/colormap.h"
#include "ui/scene/scene_layer.h"
#include "ui/widgets/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPixmap>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {

enum Column { nameColumn, amountColumn };
constexpr int kRowsAtOnce = 9, kSwatch = 12;
constexpr double kCubicMillimetresPerMillilitre = 1000, kSquareMillimetresPerCentimetre = 100;

QIcon swatch(const scene::Rgb& color) {
  QPixmap pixmap(kSwatch, kSwatch);
  pixmap.fill(QColor(color[0], color[1], color[2]));
  return QIcon(pixmap);
}

std::shared_ptr<const ListedLabels> listed(const LabelsLayer& image) {
  auto all = std::make_shared<ListedLabels>(ListedLabels{LabelList::tr("mL"), image.names, {}});
  const double millilitres =
      std::abs(image.labels->grid.worldFromVoxel.determinant()) / kCubicMillimetresPerMillilitre;
  for (const LabelRegion& region : labelRegions(*image.labels))
    all->labels.push_back({region.label, model::labelText(region.label, image.names.get()),
                           double(region.voxels) * millilitres, LabelList::tr("%1 voxels").arg(region.voxels),
                           [labels = image.labels, region] { return middleOf(*labels, region); }});
  return all;
}

std::shared_ptr<const ListedLabels> listed(const Mesh& mesh, const std::string& scalars) {
  const auto names = mesh.labelTables.at(scalars);
  auto all = std::make_shared<ListedLabels>(ListedLabels{LabelList::tr("cm²"), names, {}});
  for (const PointRegion& region : pointRegions(mesh, mesh.pointScalars.at(scalars)))
    all->labels.push_back({region.label, model::labelText(region.label, names.get()),
                           region.area / kSquareMillimetresPerCentimetre,
                           LabelList::tr("%1 points").arg(region.points),
                           [middle = region.middle] { return middle; }});
  return all;
}

}  // namespace

LabelList::LabelList(QWidget* parent) : QWidget(parent) {
  query_ = new QLineEdit;
  query_->setObjectName(QStringLiteral("labelFilter"));
  query_->setAccessibleName(tr("Filter the labels"));
  query_->setToolTip(tr("Shows the labels whose names or numbers have this; Return goes to the first"));
  query_->addAction(themeIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  query_->setClearButtonEnabled(true);
  query_->installEventFilter(this);
  list_ = new QTreeWidget;
  list_->setObjectName(QStringLiteral("labels"));
  list_->setAccessibleName(tr("Labels of the layer"));
  list_->setToolTip(tr("Click a label to go there"));
  list_->setColumnCount(2);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(amountColumn, QHeaderView::ResizeToContents);
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(query_);
  column->addWidget(list_);
  connect(query_, &QLineEdit::textChanged, this, &LabelList::filter);
  connect(query_, &QLineEdit::returnPressed, this, [this] { lead(firstShown()); });
  connect(list_, &QTreeWidget::itemClicked, this, &LabelList::lead);
  connect(list_, &QTreeWidget::itemActivated, this, &LabelList::lead);
}

std::shared_ptr<const ListedLabels> LabelList::labelsOf(const model::LayerState& state) {
  if (const auto* image = std::get_if<LabelsLayer>(&state.layer->content))
    return known_(Key{image->labels, image->names, {}}, [&] { return listed(*image); }).value;
  const auto names = scene::shownLabels(*state.layer, state.volume);
  if (!names) return nullptr;
  const auto& mesh = std::get<MeshLayer>(state.layer->content).mesh;
  const std::string& scalars = scene::shownScalars(*state.layer, state.volume)->first;
  return known_(Key{mesh, names, scalars}, [&] { return listed(*mesh, scalars); }).value;
}

void LabelList::show(const model::LayerState& state) {
  const auto labels = labelsOf(state);
  if (!labels || labels == shown_) return;
  shown_ = labels;
  list_->clear();
  list_->setHeaderLabels({tr("Label"), shown_->unit});
  list_->headerItem()->setTextAlignment(amountColumn, Qt::AlignRight | Qt::AlignVCenter);
  QList<QTreeWidgetItem*> items;
  for (const ListedLabels::One& one : shown_->labels) {
    auto* item = new QTreeWidgetItem(QStringList{one.name, QString::number(one.amount, 'f', 2)});
    item->setIcon(nameColumn, swatch(scene::labelColor(one.label, shown_->names.get())));
    item->setTextAlignment(amountColumn, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(nameColumn, tr("%1: %2").arg(one.name, one.size));
    items << item;
  }
  list_->addTopLevelItems(items);
  const int rows = std::clamp(int(items.size()), 1, kRowsAtOnce);
  list_->setFixedHeight(list_->header()->sizeHint().height() + rows * (fontMetrics().height() + 4) +
                        2 * list_->frameWidth() + 2);
  query_->setVisible(items.size() > kRowsAtOnce);
  query_->setPlaceholderText(tr("Filter %1 labels").arg(items.size()));
  query_->clear();
}

void LabelList::filter(const QString& typed) {
  for (int row = 0; row < list_->topLevelItemCount(); ++row) {
    QTreeWidgetItem* item = list_->topLevelItem(row);
    item->setHidden(!model::hasWords(typed, item->text(nameColumn)));
  }
}

QTreeWidgetItem* LabelList::firstShown() const {
  for (int row = 0; row < list_->topLevelItemCount(); ++row)
    if (!list_->topLevelItem(row)->isHidden()) return list_->topLevelItem(row);
  return nullptr;
}

void LabelList::choose(std::int32_t label) {
  if (!shown_) return;
  const auto one = std::ranges::find(shown_->labels, label, &ListedLabels::One::label);
  if (one == shown_->labels.end()) return;
  query_->clear();
  lead(list_->topLevelItem(int(one - shown_->labels.begin())));
}

void LabelList::lead(QTreeWidgetItem* item) {
  if (!item) return;
  list_->setCurrentItem(item);
  list_->scrollToItem(item);
  emit placeChosen(shown_->labels[std::size_t(list_->indexOfTopLevelItem(item))].place());
}

bool LabelList::eventFilter(QObject* watched, QEvent* event) {
  // The arrow leads from the field into the list.
  if (watched == query_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down && firstShown()) {
    list_->setCurrentItem(firstShown());
    list_->setFocus();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace sulcus::ui::widgets
