// What the window does with clusters and peaks.
#include "ui/model/session/file_names.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/clusters_panel.h"
#include "ui/widgets/window/main_window.h"

#include <QApplication>
#include <QClipboard>

namespace sulcus::ui::widgets {

void MainWindow::addClusterCommands() {
  model::ClustersModel& clusters = workspace_.clusters();
  const auto any = [&clusters] { return clusters.table() != nullptr; };
  commands_.add({QStringLiteral("clusters.show"),
                 tr("Clusters and &peaks"),
                 {},
                 [this] {
                   setWanted(bottomSide_, true);
                   bottom_->open(clustersPanel_);
                 },
                 {},
                 [this] {
                   const model::LayerState* state = layers_.find(layers_.current());
                   return state && std::holds_alternative<VolumeLayer>(state->layer->content);
                 }});
  commands_.add({QStringLiteral("clusters.copy"),
                 tr("Copy table of clusters"),
                 {},
                 [this] { QApplication::clipboard()->setText(clustersPanel_->text()); },
                 {},
                 any});
  commands_.add({QStringLiteral("clusters.save"),
                 tr("Save table of clusters…"),
                 {},
                 [this, &clusters] {
                   const LayerPtr table = clusters.table();
                   const QString name = QString::fromStdString(table->name);
                   askSave(tr("Save clusters"), model::saveName(*table, name), model::saveFilters(*table),
                           [this, table](const QString& file) { files_.save(table, file); });
                 },
                 {},
                 any});
  commands_.add({QStringLiteral("clusters.keep"),
                 tr("Keep table of clusters as a layer"),
                 {},
                 [this, &clusters] {
                   const model::LayerId map = layers_.current();
                   layers_.add(clusters.table(), model::Origin::computed);
                   layers_.setCurrent(map);  // whose clusters stay on screen
                 },
                 {},
                 any});
  connect(&clusters, &model::ClustersModel::changed, this, &MainWindow::refreshActions);
}

}  // namespace sulcus::ui::widgets
