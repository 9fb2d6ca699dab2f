#include "ui/widgets/panels/clusters_panel.h"

#include "core/io/tables/tables.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/elided_combo_box.h"
#include "ui/widgets/controls/number_edit.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/table_window.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace sulcus::ui::widgets {

ClustersPanel::ClustersPanel(model::LayerStack& layers, model::ClustersModel& clusters, QWidget* parent)
    : QWidget(parent), layers_(layers), clusters_(clusters) {
  connectivity_ =
      comboBox("clusterConnectivity", tr("Neighbors of a voxel"),
               tr("Which voxels belong to one cluster: those that share a face (6), also an edge (18), also "
                  "a corner (26)"));
  for (const int neighbors : {6, 18, 26})
    connectivity_->addItem(tr("%1-connectivity").arg(neighbors), neighbors);
  connectivity_->setCurrentIndex(2);
  leastVolume_ = numberEdit("clusterLeastVolume", tr("Least volume"), tr("Smaller clusters are not listed"),
                            {0, 1e9}, tr(" mm³"));
  leastVolume_->setPrefix(tr("from "));
  leastVolume_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("from 10000 mm³")) + 36);
  labels_ = nameBox("clusterLabels", tr("Labels at the peaks"),
                    tr("The atlas or segmentation that provides the label at each peak"), 12);
  const auto button = [this](const QString& text, const QString& tip, const char* name) {
    auto* made = textButton(text, tip, name);
    needTable_.push_back(made);
    return made;
  };
  QToolButton* copy = button(tr("Copy"), tr("Copy the table, to paste into a spreadsheet"), "clustersCopy");
  QToolButton* save =
      button(tr("Save…"), tr("Save the table (TSV, CSV) with a JSON file beside it"), "clustersSave");
  QToolButton* keep = button(tr("Keep"), tr("Keep the table as a layer of the session"), "clustersKeep");
  tools_ = new QWidget;
  auto* line = padded<QHBoxLayout>(tools_, {8, 2, 0, 2}, 4);
  line->addStretch(1);
  for (QWidget* tool : {copy, save, keep}) line->addWidget(tool);
  connect(copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(text()); });
  connect(save, &QToolButton::clicked, this, &ClustersPanel::saveRequested);
  connect(keep, &QToolButton::clicked, this, &ClustersPanel::keepRequested);
  connect(connectivity_, &QComboBox::activated, this, &ClustersPanel::setOptions);
  connect(leastVolume_, &NumberEdit::valueChanged, this, &ClustersPanel::setOptions);
  connect(labels_, &QComboBox::activated, this,
          [this] { clusters_.chooseLabels(labels_->currentData().toInt()); });

  summary_ = named("clustersSummary", quietLabel({}));
  table_ = named("clusters", copyableTable(), tr("Clusters and peaks"));
  table_->setModel(&rows_);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  auto* choices = padded<QHBoxLayout>(nullptr, {8, 6, 8, 0}, 6);
  choices->addWidget(summary_, 1);
  for (QWidget* choice : std::initializer_list<QWidget*>{connectivity_, leastVolume_, labels_})
    choices->addWidget(choice);
  auto* column = tight<QVBoxLayout>(this, 4);
  column->addLayout(choices);
  column->addWidget(table_, 1);
  column->addStretch(0);
  goToSelectedPosition(table_, [this](const Vec3<double>& place) { emit placeChosen(place); });

  connect(&clusters_, &model::ClustersModel::changed, this, &ClustersPanel::showTable);
  connect(&clusters_, &model::ClustersModel::labelsChanged, this, &ClustersPanel::showLabels);
  showLabels();
  showTable();
}

QString ClustersPanel::text() const {
  const LayerPtr& table = clusters_.table();
  return table ? QString::fromStdString(io::tableText(std::get<TableLayer>(table->content), '\t'))
               : QString();
}

void ClustersPanel::setOptions() {
  ClusterOptions options = clusters_.options();
  options.connectivity = connectivityOf(connectivity_->currentData().toInt());
  options.leastVolume = leastVolume_->value();
  clusters_.setOptions(options);
}

void ClustersPanel::showLabels() {
  labels_->clear();
  for (const model::LayerId id : clusters_.labelLayers()) labels_->addItem(layers_.find(id)->name, id);
  labels_->setVisible(labels_->count() > 0);
  labels_->addItem(tr("no labels"), 0);
  labels_->setCurrentIndex(labels_->findData(clusters_.labels()));
}

void ClustersPanel::showTable() {
  const LayerPtr& table = clusters_.table();
  summary_->setText(clusters_.summary());
  summary_->setToolTip(table ? model::noteText(table->notes.back()) : QString());
  rows_.setLayer(table);
  table_->setVisible(table != nullptr);
  for (QWidget* button : needTable_) button->setEnabled(table != nullptr);
  table_->horizontalHeader()->setResizeContentsPrecision(50);
  table_->resizeColumnsToContents();
  for (int i = 0; i < rows_.columnCount(); ++i)
    table_->setColumnWidth(i, std::min(table_->columnWidth(i) + 16, 280));
}

void ClustersPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  clusters_.setActive(true);
}

void ClustersPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  clusters_.setActive(false);
}

}  // namespace sulcus::ui::widgets
