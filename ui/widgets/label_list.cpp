#include "ui/widgets/label_list.h"

#include "core/image/label_regions.h"
#include "core/image/point_regions.h"
#include "ui/model/readout.h"
#include "ui/scene/colormap.h"

#include <QHeaderView>
#include <QPixmap>
#include <algorithm>
#include <cmath>
#include <utility>

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

}  // namespace

LabelList::LabelList(QWidget* parent) : QTreeWidget(parent) {
  setObjectName(QStringLiteral("labels"));
  setAccessibleName(tr("Labels of the layer"));
  setToolTip(tr("Click a label to go there"));
  setColumnCount(2);
  setHeaderLabels({tr("Label"), tr("mL")});
  headerItem()->setTextAlignment(amountColumn, Qt::AlignRight | Qt::AlignVCenter);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
  header()->setSectionResizeMode(amountColumn, QHeaderView::ResizeToContents);
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setTextElideMode(Qt::ElideMiddle);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(this, &QTreeWidget::itemClicked, this, &LabelList::choose);
  connect(this, &QTreeWidget::itemActivated, this, &LabelList::choose);
}

void LabelList::begin(const QString& unit) {
  clear();
  places_.clear();
  setHeaderLabels({tr("Label"), unit});
}

void LabelList::addLabel(std::int32_t label, const LabelTable* names, double amount, const QString& size,
                         Place place) {
  const QString name = model::labelText(label, names);
  auto* item = new QTreeWidgetItem(this, {name, QString::number(amount, 'f', 2)});
  item->setIcon(nameColumn, swatch(scene::labelColor(label, names)));
  item->setTextAlignment(amountColumn, Qt::AlignRight | Qt::AlignVCenter);
  item->setToolTip(nameColumn, tr("%1: %2").arg(name, size));
  places_.push_back(std::move(place));
}

void LabelList::end() {
  const int rows = std::clamp(topLevelItemCount(), 1, kRowsAtOnce);
  setFixedHeight(header()->sizeHint().height() + rows * (fontMetrics().height() + 4) + 2 * frameWidth() + 2);
}

void LabelList::show(const LabelsLayer& labels) {
  if (labels.labels == labels_.labels && labels.names == labels_.names) return;
  labels_ = labels, mesh_.reset();
  begin(tr("mL"));
  const double millilitres =
      std::abs(labels.labels->grid.worldFromVoxel.determinant()) / kCubicMillimetresPerMillilitre;
  for (const LabelRegion& region : labelRegions(*labels.labels))
    addLabel(region.label, labels.names.get(), double(region.voxels) * millilitres,
             tr("%1 voxels").arg(region.voxels),
             [image = labels.labels, region] { return middleOf(*image, region); });
  end();
}

void LabelList::show(const std::shared_ptr<const Mesh>& mesh, const std::string& scalars) {
  if (mesh == mesh_ && scalars == scalars_) return;
  labels_ = {}, mesh_ = mesh, scalars_ = scalars;
  begin(tr("cm²"));
  for (const PointRegion& region : pointRegions(*mesh, mesh->pointScalars.at(scalars)))
    addLabel(region.label, mesh->labelTables.at(scalars).get(), region.area / kSquareMillimetresPerCentimetre,
             tr("%1 points").arg(region.points), [middle = region.middle] { return middle; });
  end();
}

void LabelList::choose(QTreeWidgetItem* item) {
  const int row = indexOfTopLevelItem(item);
  if (row >= 0) emit placeChosen(places_[std::size_t(row)]());
}

}  // namespace sulcus::ui::widgets
