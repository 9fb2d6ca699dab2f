#include "ui/widgets/label_list.h"

#include "ui/model/readout.h"
#include "ui/scene/colormap.h"

#include <QHeaderView>
#include <QPixmap>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {

enum Column { nameColumn, volumeColumn };
constexpr int kRowsAtOnce = 9, kSwatch = 12;
constexpr double kCubicMillimetresPerMillilitre = 1000;

QIcon swatch(const scene::Rgb& color) {
  QPixmap pixmap(kSwatch, kSwatch);
  pixmap.fill(QColor(color[0], color[1], color[2]));
  return QIcon(pixmap);
}

}  // namespace

LabelList::LabelList(QWidget* parent) : QTreeWidget(parent) {
  setObjectName(QStringLiteral("labels"));
  setAccessibleName(tr("Labels of the image"));
  setToolTip(tr("Click a label to go there"));
  setColumnCount(2);
  setHeaderLabels({tr("Label"), tr("mL")});
  headerItem()->setTextAlignment(volumeColumn, Qt::AlignRight | Qt::AlignVCenter);
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
  header()->setSectionResizeMode(volumeColumn, QHeaderView::ResizeToContents);
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setTextElideMode(Qt::ElideMiddle);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(this, &QTreeWidget::itemClicked, this, &LabelList::choose);
  connect(this, &QTreeWidget::itemActivated, this, &LabelList::choose);
}

void LabelList::show(const LabelsLayer& labels) {
  if (labels.labels == labels_.labels && labels.names == labels_.names) return;
  if (labels.labels != labels_.labels) regions_ = labelRegions(*labels.labels);
  labels_ = labels;
  clear();
  const double millilitres =
      std::abs(labels.labels->grid.worldFromVoxel.determinant()) / kCubicMillimetresPerMillilitre;
  for (const LabelRegion& region : regions_) {
    const QString name = model::labelText(labels, region.label);
    auto* item =
        new QTreeWidgetItem(this, {name, QString::number(double(region.voxels) * millilitres, 'f', 2)});
    item->setIcon(nameColumn, swatch(scene::labelColor(region.label, labels.names.get())));
    item->setTextAlignment(volumeColumn, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(nameColumn, tr("%1: %2 voxels").arg(name).arg(region.voxels));
  }
  const int rows = std::clamp(int(regions_.size()), 1, kRowsAtOnce);
  setFixedHeight(header()->sizeHint().height() + rows * (fontMetrics().height() + 4) + 2 * frameWidth() + 2);
}

void LabelList::choose(QTreeWidgetItem* item) {
  const int row = indexOfTopLevelItem(item);
  if (row >= 0) emit placeChosen(middleOf(*labels_.labels, regions_[std::size_t(row)]));
}

}  // namespace sulcus::ui::widgets
